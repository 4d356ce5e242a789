import { describe, expect, test } from "bun:test";
import { bombs } from "../../../test/support/copies/bombs.ts";
import { hostileMarkup } from "../../../test/support/copies/hostile-markup.ts";
import { PAGE_URL, writtenPages } from "../../../test/support/copies/pages.ts";
import { oneOfEach } from "../../../test/support/run/full-run.ts";
import { extractPage } from "./extract-page.ts";
import { ExtractionError } from "./extraction-error.ts";
import { DEPTHS_MAX, ELEMENTS_MAX, Guard, NESTING_MAX } from "./guard.ts";

function codeOf(extract: () => unknown): string | undefined {
  try {
    extract();
    return undefined;
  } catch (error) {
    if (error instanceof ExtractionError) return error.code;
    throw error;
  }
}

describe("A page", () => {
  test.each(
    writtenPages.filter(({ found }) => found !== undefined).map((page) => [page.name, page] as const),
  )("with %s gives what is written down", (_, { page, contentType = "text/html", found }) => {
    const { title, words, isArticle, text, html, publishedAt, pictures, ...about } = extractPage(
      page(),
      PAGE_URL,
      contentType,
    );
    const { byline, site, language, direction } = about;
    const lines = text.split("\n");
    const given = found ?? expect.unreachable();
    expect({
      title,
      words,
      isArticle,
      byline,
      site,
      language,
      direction,
      publishedAt: publishedAt?.toISOString() ?? null,
    }).toEqual({
      title: given.title,
      words: given.words,
      isArticle: given.isArticle,
      byline: given.byline ?? null,
      site: given.site ?? null,
      language: given.language ?? null,
      direction: given.direction ?? null,
      publishedAt: given.publishedAt ?? null,
    });
    expect([lines[0], lines.at(-1)]).toEqual([given.first, given.last]);
    expect(pictures.map(({ url }) => url)).toEqual([...(given.pictures ?? [])]);
    for (const part of given.html ?? []) expect(html).toContain(part);
    for (const word of given.without ?? []) expect(text).not.toContain(word);
  });

  test.each(
    writtenPages.filter(({ refused }) => refused !== undefined).map((page) => [page.name, page] as const),
  )("with %s is refused", (_, { page, contentType = "text/html", refused }) => {
    expect(codeOf(() => extractPage(page(), PAGE_URL, contentType))).toBe(refused);
  });

  // The short run tries one refused page for each code.
  test.each(
    oneOfEach(bombs, ({ name, refused = name }) => refused).map((bomb) => [bomb.name, bomb] as const),
  )("with %s hurts nobody", (_, { page, refused }) => {
    expect(codeOf(() => extractPage(page(), PAGE_URL))).toBe(refused);
  });

  test("with all hostile markup at once is an article without it", () => {
    const prose = `<p>${"The river, which nobody had measured, rose slowly. ".repeat(6)}</p>`;
    for (const markup of hostileMarkup) {
      const { html } = extractPage(
        `<title>A</title><article>${prose.repeat(3)}${markup}${prose.repeat(3)}`,
        PAGE_URL,
      );
      expect(html).not.toMatch(
        /<[^>]*(?:\son\w+=|javascript:|style=|srcset)|<(?:script|style|iframe|svg|form|base|meta|link)/i,
      );
    }
  });

  test("without a type is HTML if it looks so", () => {
    expect(codeOf(() => extractPage(Buffer.from("<p>a"), PAGE_URL))).toBeUndefined();
    expect(codeOf(() => extractPage(Buffer.from("%PDF-1.7"), PAGE_URL))).toBe("not-html");
    expect(codeOf(() => extractPage(Buffer.from("PK\u0003\u0004\0\0"), PAGE_URL))).toBe("not-html");
    expect(codeOf(() => extractPage("<p>a", PAGE_URL, "text/plain"))).toBe("not-html");
  });

  test.each<[written: string, instant: string | undefined]>([
    ["2026-05-04T09:30:00Z", "2026-05-04T09:30:00.000Z"],
    ["2026-05-04T09:30:00+0200", "2026-05-04T07:30:00.000Z"],
    ["2026-05-04 09:30", "2026-05-04T09:30:00.000Z"],
    ["2026-05-04", "2026-05-04T00:00:00.000Z"],
    ["Mon, 04 May 2026 09:30:00 GMT", "2026-05-04T09:30:00.000Z"],
    ["2026-02-30", undefined],
    ["yesterday", undefined],
    ["April 21st, 2025 at 6:00 pm", "2025-04-21T18:00:00.000Z"],
  ])("published at %j was published at %j", (written, instant) => {
    const page = `<meta property="article:published_time" content="${written}"><p>${"Words, and words. ".repeat(60)}`;
    expect(extractPage(page, PAGE_URL).publishedAt?.toISOString()).toBe(instant as string);
  });

  test.each<[markup: string, day: string | undefined]>([
    ['<time class="entry-date published" datetime="2024-03-02">', "2024-03-02"],
    ['<span itemprop="datePublished" content="2024-03-02">', "2024-03-02"],
    ['<meta name="DC.date.issued" content="2024-03-02">', "2024-03-02"],
    ['<meta name="date" content="soon"><time class="dt-published" datetime="2024-03-02">', "2024-03-02"],
    ['<time class="updated" datetime="2024-03-02"><input name="date" value="2024-03-02">', undefined],
    [
      '<meta property="article:published_time" content="2024-01-01"><meta name="date" content="2024-03-02">',
      "2024-01-01",
    ],
  ])("that says %s was published on %j", (markup, day) => {
    const { publishedAt } = extractPage(`${markup}<p>${"Words, and words. ".repeat(60)}`, PAGE_URL);
    expect(publishedAt?.toISOString().slice(0, 10)).toBe(day as string);
  });

  test.each<[attributes: string, head: string, language: string | null]>([
    ['lang="pt_br"', "", "pt-BR"],
    ['xml:lang="de"', "", "de"],
    ["", '<meta http-equiv="content-language" content="sv">', "sv"],
    ["", '<meta property="og:locale" content="en_GB">', "en-GB"],
    ['lang="not a language"', "", null],
  ])("%s %s is in the language %j", (attributes, head, language) => {
    expect(extractPage(`<html ${attributes}>${head}<body>a`, PAGE_URL).language).toBe(language);
  });

  test("in XHTML ends elements in its way", () => {
    const page = `<html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a.js"/><title>A</title></head><body><p>b</p></body></html>`;
    expect(extractPage(page, PAGE_URL, "application/xhtml+xml")).toMatchObject({ title: "A", text: "b" });
  });
});

describe("The guard", () => {
  test("takes as many elements, as deep, as it says, and no more", () => {
    const guard = new Guard();
    guard.enter(NESTING_MAX);
    expect(codeOf(() => new Guard().enter(NESTING_MAX + 1))).toBe("too-deep");
    for (let count = 1; count < ELEMENTS_MAX; count++) guard.enter(1);
    expect(codeOf(() => guard.enter(1))).toBe("too-many-elements");
    const deep = new Guard();
    for (let depths = 0; depths < DEPTHS_MAX; depths += 250) deep.enter(250);
    expect(codeOf(() => deep.enter(1))).toBe("too-costly");
    const long = new Guard();
    long.read(100, DEPTHS_MAX);
    expect(codeOf(() => long.read(1, 100))).toBe("too-costly");
  });
});

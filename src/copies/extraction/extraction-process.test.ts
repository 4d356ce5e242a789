import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { useRealTimeLimits } from "../../../test/support/given/real-time-limits.ts";
import { messageOf } from "../../errors.ts";
import { extractPage } from "./extract-page.ts";
import { ExtractionError } from "./extraction-error.ts";
import { Extractor } from "./extraction-process.ts";

const MISBEHAVING = join(import.meta.dir, "../../../test/support/given/misbehaving-reader.ts");
const MIB = 1024 * 1024;
const PAGE_URL = "https://pages.example/page.html";

const codeOf = (extraction: Promise<unknown>) =>
  extraction.then(
    () => undefined,
    (error) => (error instanceof ExtractionError ? error.code : messageOf(error)),
  );

describe("A page that is extracted in a process of its own", () => {
  useRealTimeLimits();

  test("is the same, with its date and the bytes of its pictures", async () => {
    const picture = Buffer.from("a picture ".repeat(1_000));
    const page = Buffer.from(
      `<title>Café</title><meta property="article:published_time" content="2026-05-04T09:30:00Z">
       <article>${`<p>${"The river rose, and the town watched. ".repeat(8)}</p>`.repeat(4)}
       <img src="data:image/png;base64,${picture.toString("base64")}"><img src="/b.png"></article>`,
    );
    const extracted = await new Extractor().extract(page, PAGE_URL, "text/html; charset=utf-8");
    const { pictures, ...found } = extracted;
    const { pictures: _, ...expected } = extractPage(page, PAGE_URL, "text/html; charset=utf-8");
    expect(found).toEqual(expected);
    expect(found.publishedAt).toEqual(new Date("2026-05-04T09:30:00Z"));
    expect(pictures.map(({ url }) => url)).toEqual(["data:image/png", "https://pages.example/b.png"]);
    expect(pictures[0]?.bytes).toEqual(new Uint8Array(picture));
    expect(pictures[1]?.bytes).toBeUndefined();
  });

  test("is kept whole if another program has extracted it", async () => {
    const text =
      '<p class="comment">Short. <script>ran()</script></p><iframe src="https://films.example/1" title="Film">';
    expect(await new Extractor().sanitize(text, PAGE_URL)).toMatchObject({
      isArticle: true,
      text: "Short.\nFilm",
      html: '<p>Short.</p><p><a href="https://films.example/1">Film</a></p>',
    });
  });

  test("is refused for the same reasons", async () => {
    const extractor = new Extractor();
    const refused = (page: string, type?: string) =>
      codeOf(extractor.extract(Buffer.from(page), PAGE_URL, type));
    // Waiting for each other.
    expect(
      await Promise.all([refused("<b>".repeat(300)), refused(""), refused("%PDF-", "application/pdf")]),
    ).toEqual(["too-deep", "empty", "not-html"]);
  });

  test.each(["computes", "waits", "grows", "crashes"])("is refused when its process %s", async (what) => {
    // One that grows or crashes must not be ended for its time instead, on a machine that is slow.
    const seconds = ["computes", "waits"].includes(what) ? 1 : 120;
    const program = [process.execPath, MISBEHAVING, what];
    const extractor = new Extractor({ program, seconds, patience: seconds, memory: 300 * MIB });
    expect(await codeOf(extractor.extract(Buffer.from("<p>a"), PAGE_URL))).toBe("too-costly");
  });

  test("ends with the wish for it", async () => {
    const program = [process.execPath, MISBEHAVING, "waits"];
    const abort = new AbortController();
    const extraction = new Extractor({ program }).extract(
      Buffer.from("<p>a"),
      PAGE_URL,
      undefined,
      abort.signal,
    );
    abort.abort();
    expect(await codeOf(extraction)).toContain("abort");
  });
});

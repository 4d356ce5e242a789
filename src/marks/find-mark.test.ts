import { describe, expect, test } from "bun:test";
import { escapeText } from "entities";
import { PAGE_URL, writtenPages } from "../../test/support/copies/pages.ts";
import { isFullRun } from "../../test/support/run/full-run.ts";
import { Random, testSeed } from "../../test/support/run/random.ts";
import { countingModules, expectLinear, stepsOf } from "../../test/support/steps/count-steps.ts";
import { extractPage } from "../copies/extraction/extract-page.ts";
import { textOfCopy } from "../copies/search/text-of-copy.ts";
import { STOPPED, textForRoom } from "../library/reading/room-text.ts";
import { CopyText } from "./find-mark.ts";
import { CONTEXT_MAX, type Quote } from "./mark.ts";

/** White space, and what shows nothing. */
const NOTHING = /[\s\u00ad\u200b\u200e\u200f\u2060]/g;

/** A mark of words in a text, made there. */
function markIn(html: string, words: string): Quote {
  const copy = new CopyText(html);
  const start = copy.text.indexOf(words);
  const mark = copy.cut(start, start + words.length);
  if (start < 0 || mark === undefined) throw new Error(`no ${words}`);
  return mark;
}

/** A text with the place of a mark in brackets. */
function found(html: string, mark: Quote): string | undefined {
  const copy = new CopyText(html);
  const place = copy.find(mark);
  if (place === undefined) return undefined;
  const { start, end } = place;
  return `${copy.text.slice(0, start)}[${copy.text.slice(start, end)}]${copy.text.slice(end)}`;
}

describe("A quote that is cut out of a text", () => {
  const html =
    "<h2>Notes</h2>\n<p>The <b>quick</b> fox &amp; 😀 the other.</p><ul><li>Apples</li><li>Pears<br>and plums</li></ul>";

  test("is trimmed, with what stands on both sides, and has line feeds between blocks", () => {
    const copy = new CopyText(html);
    expect(copy.text).toBe("Notes\nThe quick fox & 😀 the other.ApplesPearsand plums");
    expect(copy.cut(5, 15)).toEqual({
      ...{ quote: "The quick", prefix: "Notes ", suffix: " fox & 😀 the other. Apples Pear", position: 6 },
    });
    expect(copy.cut(34, 1_000)?.quote).toBe(".\n\nApples\nPears\nand plums");
    expect(copy.cut(-5, 3)).toEqual({
      ...{ quote: "Not", prefix: "", suffix: "es The quick fox & 😀 the other.", position: 0 },
    });
  });

  test("has whole characters alone, at most 32 on each side", () => {
    const smiles = new CopyText(`<p>${"😀".repeat(40)}</p>`);
    expect(smiles.cut(39, 41)).toMatchObject({ quote: "😀😀", position: 38 });
    const odd = new CopyText(`<p>${"😀".repeat(20)}x${"😀".repeat(20)}</p>`);
    for (const [from, to] of [
      [40, 41],
      [38, 41],
      [41, 43],
      [39, 42],
    ] as const) {
      const { quote, prefix, suffix } = odd.cut(from, to) as Quote;
      for (const text of [quote, prefix, suffix]) expect(text.isWellFormed()).toBeTrue();
      expect(Math.max(prefix.length, suffix.length)).toBeLessThanOrEqual(CONTEXT_MAX);
    }
  });

  test.each([
    [5, 6],
    [9, 9],
    [12, 3],
    [500, 600],
  ])("is none without words: %d to %d", (from, to) => {
    expect(new CopyText(html).cut(from, to)).toBeUndefined();
  });
});

test("Places are those of the reading room", () => {
  const html =
    '<h2>A &lt;b&gt; &amp; c</h2><pre>one\n  two</pre><p>x<img src="picture-1" alt="a"> <math><mi>n</mi></math> y&nbsp;z</p>' +
    "<table><tr><td>Cell</td><td>😀 end</td></tr></table>";
  const { text } = new CopyText(html);
  for (const word of ["b>", "one", "two", "x ", "y", "z", "Cell", "😀", "end"]) {
    const { html: room } = textForRoom(html, {
      ...{ bookmarkId: 1, copyId: 1, place: text.indexOf(word), tableLabel: "Table" },
    });
    const [, after] = room.split(`<span id="${STOPPED}"></span>`);
    expect(new CopyText(after ?? "").text).toStartWith(word);
  }
});

describe("A mark is found again", () => {
  const page = "<p>He went to the man in the hall, and the man went home before the lamps were lit.</p>";

  test.each([
    [
      "on the words, in other markup",
      "<div>\n  <p>A <i>lamp</i>, he\nsaid.</p></div>",
      "A lamp, he",
      "<p>A lamp,</p><p>he said.</p>",
      "[A lamp,he] said.",
    ],
    [
      "in spite of what shows nothing",
      "<p>Know\u00adledge\u200b of it</p>",
      "Know\u00adledge",
      "<p>Knowledge of\u00a0it</p>",
      "[Knowledge] of\u00a0it",
    ],
    [
      "in a script without spaces",
      "<p>今天天气很好。</p>",
      "天气",
      "<h2>标题</h2><p>今天天气很好。</p>",
      "标题今天[天气]很好。",
    ],
    [
      "before the number of a note",
      "<p>It was so\u200a1.</p>",
      "was so",
      "<p>It was so1.</p>",
      "It [was so]1.",
    ],
    [
      "by 20 letters, with nothing of what stood beside them",
      "<p>We went down to a river that was wider again.</p>",
      "to a river that was wider",
      "<p>They came to a river that was wider.</p>",
      "They came [to a river that was wider].",
    ],
    [
      "as a part of a word where it was one",
      "<p>Unbelievable.</p>",
      "believ",
      "<p>A. Unbelievable.</p>",
      "A. Un[believ]able.",
    ],
  ])("%s", (_, html, words, other, place) => {
    expect(found(other, markIn(html, words))).toBe(place);
  });

  test.each([
    ["by what stands beside it", page, 27, "He went to the man in the hall, and [the] man went home"],
    [
      "also after a change before it",
      `<p>New.</p>${page}`,
      27,
      "New.He went to the man in the hall, and [the] man",
    ],
    ["where one side has changed", page.replace("went home", "ran home"), 32, "and [the] man ran home"],
  ])("among its repeats %s", (_, html) => {
    const copy = new CopyText(page);
    const start = copy.text.indexOf("the man went");
    const mark = copy.cut(start, start + 3) as Quote;
    expect(found(html, mark)).toMatch(/ and \[the\] man /);
  });

  test("by what stands beside it rather than by its place", () => {
    const twice = "<p>One: words of a certain length, here.</p><p>Two: words of a certain length, there.</p>";
    const mark = { ...markIn(twice, "words of a certain length"), position: 50 };
    expect(found(twice, mark)).toStartWith("One: [words of a certain length]");
  });

  test("at the nearest of places that are alike", () => {
    const line = "<p>Words that stand in each of many lines of a page.</p>";
    const copy = new CopyText(line.repeat(1_000));
    const { length } = new CopyText(line).text;
    for (const number of [0, 7, 500, 999]) {
      const mark = copy.cut(number * length + 6, number * length + 30) as Quote;
      const place = { start: number * length + 6, end: number * length + 30 };
      expect(copy.find(mark)).toEqual(place);
      expect(new CopyText(`<p>!</p>${line.repeat(1_000)}`).find(mark)?.start).toBe(place.start + 1);
      const later = { ...mark, position: place.start + 20 };
      expect(copy.find(later)).toEqual(place);
    }
  });

  test("by what stands beside it, also far from where it was, among very many", () => {
    const many = "<p>For the birds.</p>".repeat(1_000);
    const mark = markIn("<p>Then the river rose.</p>", "the");
    expect(found(`${many}<p>Then the river rose.</p>`, mark)).toEndWith("Then [the] river rose.");
    expect(found(`<p>So the river rose.</p>${many}`, markIn("<p>So the river rose.</p>", "the"))).toStartWith(
      "So [the] river",
    );
  });

  test("without anything that stood beside it: as whole words, and the first ones when no place is known", () => {
    const alone = (quote: string, position: number | null = null) => ({
      quote,
      prefix: "",
      suffix: "",
      position,
    });
    const html = "<p>Other men, the men, the end</p><p>Theme</p>";
    expect(found(html, alone("Other"))).toBe("[Other] men, the men, the endTheme");
    expect(found("<p>theses, the men</p>", alone("the"))).toBe("theses, [the] men");
    expect(found(html, alone("the"))).toBe("Other men, [the] men, the endTheme");
    expect(found(html, alone("the", 19))).toBe("Other men, the men, [the] endTheme");
    expect(found("<p>今天天气很好。</p>", alone("天气"))).toBe("今天[天气]很好。");
    expect(found(html, alone("the end"))).toBe("Other men, the men, [the end]Theme");
    expect(found(html, alone("end The"))).toBeUndefined();
    expect(found(html, alone(" "))).toBeUndefined();
    expect(found("", alone("the"))).toBeUndefined();
  });
});

describe("A mark whose words are gone is nowhere else", () => {
  test.each([
    [
      "a short one elsewhere",
      "<p>We spoke of it on the way.</p>",
      "the",
      "<p>Then the others came, and the night.</p>",
    ],
    [
      "within a longer word",
      "<p>And so he went to the man.</p>",
      "the",
      "<p>And so he went to theology.</p>",
    ],
    [
      "within a word with an apostrophe",
      "<p>It is true that he can go there.</p>",
      "can",
      "<p>It is true that he can't go there.</p>",
    ],
    [
      "within a longer number",
      "<p>In the whole of the year 20 came.</p>",
      "20",
      "<p>In the whole of the year 2026.</p>",
    ],
    [
      "other words between",
      "<p>One two three four five six.</p>",
      "two three four five",
      "<p>One two three or four five six.</p>",
    ],
    [
      "words of 19 letters, with nothing of what stood beside them",
      "<p>We went down to a river that was wide again.</p>",
      "to a river that was wide",
      "<p>They came to a river that was wide.</p>",
    ],
    [
      "one letter more",
      "<p>A sentence of a certain length.</p>",
      "sentence of a certain",
      "<p>A sentence of a certainty, length.</p>",
    ],
  ])("%s", (_, html, words, other) => {
    expect(found(other, markIn(html, words))).toBeUndefined();
  });
});

describe("Finding marks", () => {
  const module = import.meta.resolve("./find-mark.ts");
  const repeats: Readonly<Record<string, (length: number) => string>> = {
    "one character": (length) => "a".repeat(length),
    "two characters": (length) => "ab".repeat(length / 2),
    "a character seldom": (length) => `${"a".repeat(499)}b`.repeat(length / 500),
    "other words": (length) =>
      Array.from({ length: length / 8 }, (_, index) => `w${index} `.padEnd(8, "o")).join(""),
  };

  test.each(Object.keys(repeats))(
    "takes steps in the length of the text and of the marks: %s",
    async (name) => {
      const { CopyText: Counting } = await countingModules<{ CopyText: typeof CopyText }>(module);
      const html = (length: number) => `<p>${repeats[name]?.(length)}</p>`;
      const marks = (text: string, size: number) => {
        const words = text.slice(0, size);
        const beside = text.slice(-CONTEXT_MAX);
        return [
          words,
          `${words.slice(1)}b`,
          `b${words.slice(1)}`,
          `${words.slice(0, size / 2)}x${words.slice(size / 2)}`,
        ].map((quote, index) => ({
          quote,
          prefix: beside,
          suffix: beside,
          position: index === 0 ? null : text.length >> 1,
        }));
      };
      await expectLinear((length) => {
        const copy = new Counting(html(8 * length));
        for (const mark of marks(copy.text, 2 * length)) copy.find(mark);
      });
      // The text is read once.
      const copy = new Counting(html(64_000));
      const [mark] = marks(copy.text, 500) as [Quote];
      copy.find(mark);
      expect(await stepsOf(() => copy.find(mark))).toBeLessThan(64_000);
    },
  );
});

describe("In a text that is read from the page in another way, a mark", () => {
  /** Of the article alone, of all that the page says, and of the words without any markup. */
  const readings = (page: string | Uint8Array, contentType: string) => {
    const [article, all] = [false, true].map(
      (isText) => extractPage(page, PAGE_URL, contentType, isText).html,
    );
    return [article, all, `<p>${escapeText(textOfCopy(all ?? ""))}</p>`].map(
      (html = "") => new CopyText(html),
    );
  };
  const pages = writtenPages.filter(
    ({ found, name, contentType = "text/html" }) =>
      found && contentType.includes("html") && (isFullRun || !name.includes("megabytes")),
  );

  test.each(pages.map((page) => [page.name, page] as const))(
    "is on its words or gone: %s",
    (_, { page, contentType }) => {
      const random = new Random(testSeed);
      const texts = readings(page(), contentType ?? "text/html");
      /** @returns whether it is there; undefined without words */
      const isFound = (from: CopyText, to: CopyText, start: number, size: number) => {
        const mark = from.cut(start, start + size);
        if (mark === undefined) return undefined;
        const place = to.find(mark);
        if (from === to) expect(place, mark.quote).toBeDefined();
        if (place === undefined) return false;
        const words = to.text.slice(place.start, place.end);
        expect(words.replace(NOTHING, ""), mark.quote).toBe(mark.quote.replace(NOTHING, ""));
        if (from === to && mark.position !== null) expect(place.start).toBe(mark.position);
        return true;
      };
      // The same marks in each run: how many are found depends on no seed.
      const found: boolean[] = [];
      for (const from of texts)
        for (const to of texts)
          for (let count = 0; count < 20; count++) {
            const { length } = from.text;
            isFound(from, to, random.below(length), 1 + random.below(random.pick([3, 20, 200])));
            found.push(isFound(from, to, Math.floor((count * length) / 20), 30) ?? true);
          }
      expect(found.filter(Boolean).length / found.length).toBeGreaterThan(0.5);
    },
  );
});

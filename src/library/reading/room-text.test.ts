import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Parser } from "htmlparser2";
import { testSeed } from "../../../test/support/run/random.ts";
import { readTree } from "../../copies/extraction/page-tree.ts";
import { sanitizeCopy } from "../../copies/extraction/sanitize-copy.ts";
import type { PlacedMark } from "./marked-text.ts";
import { type TextSurroundings, textForRoom } from "./room-text.ts";

const URL_OF_PAGE = "https://site.example/page.html";
const AROUND = { bookmarkId: 1, copyId: 2, place: undefined, tableLabel: "Table" };

function sanitized(html: string): string {
  const { document, dataUrls } = readTree(`<body>${html}`, URL_OF_PAGE);
  return sanitizeCopy([document.body], { url: URL_OF_PAGE, base: URL_OF_PAGE, dataUrls, hasFilms: true })
    .html;
}

const markLabel = (note: string) => (note === "" ? "Your mark" : `Your note: ${note}`);
const shown = (html: string, more: Partial<TextSurroundings>) =>
  textForRoom(html, { ...AROUND, markLabel, ...more }).html;

/** What a room shows without what marks have added. */
function withoutMarks(html: string): string {
  const tags = /<(\/?)mark( class="own"(?: id="mark-\d+")?)?[^>]*>|<a class="of-mark"[^>]*><\/a>/g;
  const open: boolean[] = [];
  return html.replace(tags, (tag, slash: string | undefined, own: string | undefined) => {
    if (slash === undefined) return "";
    if (slash === "") open.push(own !== undefined);
    const isOwn = slash === "" ? own !== undefined : open.pop();
    return isOwn ? "" : tag;
  });
}

interface Character {
  readonly text: string;
  /** Whether it is marked, and whether it may be. */
  readonly isMarked: boolean;
  readonly isInFormula: boolean;
}

/** The characters of HTML as a parser reads them, and what is wrong with its marks. */
function read(html: string): { characters: Character[]; faults: string[]; ids: string[] } {
  const characters: Character[] = [];
  const faults: string[] = [];
  const ids: string[] = [];
  const open: { name: string; isOwn: boolean }[] = [];
  const parser = new Parser({
    onopentag(name, { class: given, id }) {
      const isOwn = name === "mark" && given === "own";
      const isLink = name === "a" && given === "of-mark";
      if ((isOwn || isLink) && open.some(({ name }) => name === "math")) faults.push(`${name} in a formula`);
      if (isOwn && /^(?:table|thead|tbody|tfoot|tr|ul|ol|dl)$/.test(open.at(-1)?.name ?? ""))
        faults.push(`mark in ${open.at(-1)?.name}`);
      if (isLink && open.some(({ name }) => name === "a")) faults.push("a link in a link");
      if (isOwn && id !== undefined) ids.push(id);
      open.push({ name, isOwn });
    },
    onclosetag(name, isImplied) {
      if (isImplied && !/^(?:img|br|hr|wbr)$/.test(name)) faults.push(`${name} is not closed`);
      open.pop();
    },
    ontext(text) {
      const isMarked = open.some(({ isOwn }) => isOwn);
      const isInFormula = open.some(({ name }) => name === "math");
      for (let at = 0; at < text.length; at++)
        characters.push({ text: text.charAt(at), isMarked, isInFormula });
    },
  });
  parser.end(html);
  return { characters, faults, ids };
}

const wordsOf = (characters: readonly Character[]) => characters.map(({ text }) => text).join("");

const words = fc.constantFrom(
  "One two three.",
  " ",
  "a & b < c",
  "x\u00a0y",
  "漢字",
  "كتاب",
  "👩🏽‍🚀",
  "\n",
  "it’s 1,000",
);
const wrap = (inner: string, name: string) => `<${name}>${inner}</${name.split(" ")[0]}>`;
const PHRASES = ["em", "mark", "a href=https://x.example/", "code", "sup", "span dir=rtl", "q", "ruby", "rt"];
const BLOCKS = [
  "p",
  "li",
  "ul",
  "blockquote",
  "pre",
  "div lang=ar dir=rtl",
  "h2",
  "table",
  "tr",
  "td",
  "dl",
  "dd",
  "figure",
];
const FORMULA = "<math><mi>a</mi><mo>=</mo><mn>10</mn></math>";
/** Any order of elements, as foreign pages have them. */
const pages = fc.letrec<{ node: string; nodes: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    words,
    fc.constantFrom(FORMULA, "<br>", "<hr>", "<wbr>", '<img src="/a.png" alt="a">'),
    fc.tuple(tie("nodes"), fc.constantFrom(...PHRASES, ...BLOCKS)).map(([inner, name]) => wrap(inner, name)),
  ),
  nodes: fc.array(tie("node"), { maxLength: 5 }).map((nodes) => nodes.join("")),
})).nodes;

describe("The text of the room", () => {
  test("without marks is what it was", () => {
    const html = `<p>a &amp; b</p><table><tr><td>1</td></tr></table><pre>let</pre><img src="picture-1" alt="">`;
    expect(shown(html, { marks: [] })).toBe(
      '<p>a &amp; b</p><div class="table" role="group" tabindex="0" aria-label="Table"><table><tr><td>1</td></tr></table></div>' +
        '<pre tabindex="0">let</pre><img src="/bookmarks/1/copies/2/picture-1" alt="">',
    );
  });

  const mark = (start: number, end: number, note = "", id = 1): PlacedMark => ({ id, start, end, note });
  const FIRST = '<mark class="own" id="mark-1">';
  const OWN = '<mark class="own">';
  const END = "</mark>";
  const LINK = '<a class="of-mark" href="#note-1" aria-label="Your mark"></a>';
  const cases: readonly (readonly [string, string, readonly PlacedMark[], string])[] = [
    ["a word", "<p>One two.</p>", [mark(4, 7)], `<p>One ${FIRST}two${END}${LINK}.</p>`],
    [
      "a note, whose quotes are escaped",
      "<p>One</p>",
      [mark(0, 3, '"<b>')],
      `<p>${FIRST}One${END}<a class="of-mark" href="#note-1" aria-label="Your note: &quot;&lt;b&gt;" data-note="&quot;&lt;b&gt;"></a></p>`,
    ],
    [
      "an entity, which is one character",
      "<p>a &amp; b</p>",
      [mark(2, 3)],
      `<p>a ${FIRST}&amp;${END}${LINK} b</p>`,
    ],
    [
      "words across elements",
      "<p>One <em>two</em> three</p>",
      [mark(2, 9)],
      `<p>On${FIRST}e ${END}<em>${OWN}two${END}</em>${OWN} t${END}${LINK}hree</p>`,
    ],
    [
      "blocks",
      "<p>One</p><ul><li>two</li></ul>",
      [mark(1, 5)],
      `<p>O${FIRST}ne${END}</p><ul><li>${OWN}tw${END}${LINK}o</li></ul>`,
    ],
    [
      "the end of a link, behind which its own stands",
      '<p><a href="https://x.example/">One two</a>.</p>',
      [mark(0, 3)],
      `<p><a href="https://x.example/">${FIRST}One${END} two</a>${LINK}.</p>`,
    ],
    [
      "a formula as a whole",
      `<p>x ${FORMULA} y</p>`,
      [mark(3, 4)],
      `<p>x ${FIRST}${FORMULA}${END}${LINK} y</p>`,
    ],
    [
      "marks that overlap",
      "<p>One two three</p>",
      [mark(0, 7), mark(4, 13, "", 2)],
      `<p>${FIRST}One ${END}<mark class="own" id="mark-2">${OWN}two${END}${END}${LINK}${OWN} three${END}${LINK.replace("note-1", "note-2")}</p>`,
    ],
    [
      "what ends in the white space between blocks",
      "<p>One</p> <p>two</p>",
      [mark(0, 4)],
      `<p>${FIRST}One${END}</p> <p>${LINK}two</p>`,
    ],
    [
      "white space between the rows of a table, where no element may stand",
      "<table><tr><td>1</td></tr> <tr><td>2</td></tr></table>",
      [mark(0, 3)],
      `<div class="table" role="group" tabindex="0" aria-label="Table"><table><tr><td>${FIRST}1${END}</td></tr> <tr><td>${OWN}2${END}${LINK}</td></tr></table></div>`,
    ],
  ];
  for (const [name, html, marks, expected] of cases)
    test(`marks ${name}`, () => {
      expect(shown(html, { marks })).toBe(expected);
    });

  test("marks exactly the ranges of any text, and changes nothing else", () => {
    fc.assert(
      fc.property(
        pages,
        fc.array(fc.tuple(fc.nat(), fc.nat(40)), { maxLength: 6 }),
        fc.option(fc.nat(200), { nil: undefined }),
        (page, given, place) => {
          const html = sanitized(page);
          const plain = shown(html, { place });
          const before = read(plain);
          const { length } = before.characters;
          if (length === 0) return;
          const marks = given.map(([at, size], index) => ({
            ...{ id: index + 1, note: index % 2 === 0 ? "" : "n" },
            ...{ start: at % length, end: Math.min(length, (at % length) + size + 1) },
          }));
          const result = shown(html, { place, marks });
          expect(withoutMarks(result)).toBe(plain);
          const { characters, faults, ids } = read(result);
          expect(faults).toEqual(before.faults);
          expect(new Set(ids).size).toBe(ids.length);
          expect(wordsOf(characters)).toBe(wordsOf(before.characters));
          for (const [at, { text, isMarked, isInFormula }] of characters.entries()) {
            if (text.trim() === "" || isInFormula) continue;
            expect([at, isMarked]).toEqual([at, marks.some(({ start, end }) => start <= at && at < end)]);
          }
        },
      ),
      { numRuns: 500, seed: testSeed },
    );
  });

  test("stays short when hundreds of marks overlap", () => {
    const marks = Array.from({ length: 500 }, (_, index) => mark(index, 5_000 + index, "", index + 1));
    const html = `<p>${"word ".repeat(1_200)}</p>`;
    expect(shown(html, { marks }).length).toBeLessThan(html.length + 500 * 300);
  });
});

describe("Buttons of paragraphs", () => {
  const button = (range: string) =>
    ` <button class="mark-this" type="submit" form="mark-bar" name="range" value="${range}">Mark</button>`;
  const cases: readonly (readonly [string, string, string])[] = [
    ["paragraphs", "<p>a &amp; b</p><p>c</p>", `<p>a &amp; b${button("0-5")}</p><p>c${button("5-6")}</p>`],
    [
      "list items with what is in them",
      "<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul>",
      `<ul><li>a<ul><li>b${button("1-2")}</li></ul>${button("0-2")}</li><li><p>c${button("2-3")}</p></li></ul>`,
    ],
    [
      "a quotation of one paragraph once",
      "<blockquote><p>a</p></blockquote>",
      `<blockquote><p>a${button("0-1")}</p></blockquote>`,
    ],
    [
      "a quotation of several as a whole, too",
      "<blockquote><p>a</p><p>b</p></blockquote>",
      `<blockquote><p>a${button("0-1")}</p><p>b${button("1-2")}</p>${button("0-2")}</blockquote>`,
    ],
    ["nothing without words", '<p><img src="picture-1" alt=""></p><pre>let</pre>', ""],
  ];
  for (const [name, html, expected] of cases)
    test(`has ${name}`, () => {
      const result = shown(html, { button: "Mark" });
      if (expected === "") expect(result).not.toContain("<button");
      else expect(result).toBe(expected);
    });
});

/** A page made to take time or memory, and what becomes of it. */
export interface Bomb {
  readonly name: string;
  readonly page: () => string;
  /** The code of the refusal; undefined for a page that is read as any other. */
  readonly refused?: string;
}

const WORDS = "Slow rivers carry words, and words carry the river on to the sea again. ";
const repeated = (part: string, count: number) => part.repeat(count);
const numbered = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join("");
const within = (depth: number, content: string) =>
  repeated("<div>", depth) + content + repeated("</div>", depth);
const article = `<article>${repeated(`<p>${repeated(WORDS, 4)}</p>`, 5)}</article>`;

/** Each kind that was tried against extractors, at a size that hurts one that does not count. */
export const bombs: readonly Bomb[] = [
  { name: "256 elements within each other", page: () => within(254, `<p><b>${WORDS}</b></p>`) },
  {
    name: "257 elements within each other",
    page: () => within(255, `<p><b>${WORDS}</b></p>`),
    refused: "too-deep",
  },
  { name: "a million elements that never end", page: () => repeated("<b>", 1_000_000), refused: "too-deep" },
  { name: "tables within tables", page: () => repeated("<table><tr><td>", 10_000), refused: "too-deep" },
  { name: "lists within lists", page: () => repeated("<ul><li>", 10_000), refused: "too-deep" },
  {
    name: "a drawing of elements within each other",
    page: () => `<svg>${repeated("<g>", 100_000)}`,
    refused: "too-deep",
  },
  { name: "200,000 elements", page: () => `${repeated("<br>", 199_999)}<p>End` },
  {
    name: "200,001 elements",
    page: () => `${repeated("<br>", 200_000)}<p>End`,
    refused: "too-many-elements",
  },
  {
    name: "ends of paragraphs that never began",
    page: () => repeated("</p>", 300_000),
    refused: "too-many-elements",
  },
  { name: "many deep elements", page: () => within(200, repeated("<p>a", 20_000)), refused: "too-costly" },
  {
    name: "one text in many elements",
    page: () => within(250, `<p>${repeated(WORDS, 100_000)}`),
    refused: "too-costly",
  },
  {
    name: "an attribute of ten million characters",
    page: () => `${article}<p title="${repeated("a", 10_000_000)}">`,
  },
  {
    name: "a hundred thousand attributes",
    page: () => `${article}<img ${numbered(100_000, (index) => `a${index}="b.jpg 1x" `)}>`,
  },
  { name: "a tag that never ends", page: () => `${article}<a ${repeated("<a ", 1_000_000)}` },
  {
    name: "a comment that never ends",
    page: () => `${article}<!-- ${repeated("<p>-->".slice(0, 5), 2_000_000)}`,
  },
  { name: "a script that never ends", page: () => `${article}<script>${repeated("</scrip>", 1_000_000)}` },
  { name: "character references", page: () => `${article}<p>${repeated("&amp;&nbsp;", 300_000)}` },
  {
    name: "a picture in a hundred thousand sizes",
    page: () => `${article}<img srcset="${numbered(100_000, (index) => `${index}.jpg ${index}w, `)}">`,
  },
  {
    name: "metadata nested a million times",
    page: () => `<script type="application/ld+json">${repeated('{"a":', 1_000_000)}</script>${article}`,
  },
  {
    name: "styles that look like hiding",
    page: () => `${article}${repeated(`<p style="${repeated("display ", 500)}">a`, 1_000)}`,
  },
  {
    name: "a thousand levels of a thousand links",
    page: () => `${repeated("<a href=/x><b><i>", 80)}${repeated("<p>a", 20_000)}`,
    refused: "too-costly",
  },
  {
    name: "thousands of posts, each within many elements",
    page: () => numbered(600, (index) => within(60, `<div class="post"><p>${WORDS}${index}</p></div>`)),
  },
  {
    name: "headings of other pages within each other",
    page: () =>
      within(150, `<p>${WORDS}</p>${repeated("<h2><a href=/x>A page of another kind</a></h2>", 2_000)}`),
  },
];

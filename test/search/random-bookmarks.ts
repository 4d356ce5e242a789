import fc from "fast-check";

const WORDS = [
  ...["river", "rivers", "deep", "machine", "java", "javascript", "node", "js", "Zürich", "zurich", "Straße"],
  ...[
    "c",
    "C++",
    "c++",
    "f#",
    "東京",
    "東京大学",
    "京",
    "大",
    "iPhone東京",
    "한국어",
    "R&D",
    "don't",
    "a",
    "b",
    "it",
  ],
  ...[
    "2024",
    "e\u0301te\u0301",
    "\u00e9t\u00e9",
    "½",
    "x".repeat(80),
    "NEAR",
    "AND",
    "<->",
    "'",
    "\\",
    '"',
    "😀",
  ],
] as const;
const TAGS = [
  "dev",
  "Dev/js",
  "dev/js/node",
  "R&D",
  "2024",
  "a(b)",
  "東京",
  "C#",
  "it's",
  "zürich",
  "*",
  'x"y',
] as const;
const HOSTS = [
  ...[
    "example.com",
    "www.example.com",
    "github.com",
    "gist.github.com",
    "xn--mnchen-3ya.de",
    "192.168.0.1",
    "[::1]",
  ],
  ...["deep.river.example", "com", "localhost:8000"],
] as const;
const PATHS = [
  "",
  "river",
  "deep/river",
  "a%20b",
  "%E6%9D%B1%E4%BA%AC",
  "node.js?x=java",
  "#/machine",
  "%ff",
] as const;

const words = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...WORDS), { maxLength })
    .chain((list) => fc.constantFrom(" ", ", ", "-", "\n").map((separator) => list.join(separator)));

/** A bookmark of a few words that others have too. */
export const bookmarkFields = fc.record({
  title: words(5).map((text) => Array.from(text).slice(0, 200).join("")),
  url: fc
    .tuple(fc.constantFrom("http", "https"), fc.constantFrom(...HOSTS), fc.constantFrom(...PATHS))
    .map(([scheme, host, path]) => new URL(`${scheme}://${host}/${path}`).href),
  description: fc
    .tuple(words(12), fc.array(fc.constantFrom(...TAGS), { maxLength: 3 }))
    .map(([text, tags]) => (tags.length === 0 ? text : `${text}\n${tags.map((tag) => `#${tag}`).join(" ")}`)),
});

const word = fc.constantFrom(...WORDS, "riv", "ja", "dee", "東", "x".repeat(64));
const atom = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 3, arbitrary: word.map((text) => `${text}*`) },
  {
    weight: 2,
    arbitrary: fc
      .array(word, { minLength: 1, maxLength: 3 })
      .map((list) => `"${list.join(" ").replaceAll('"', "")}"`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("title", "url", "note"), word)
      .map(([field, text]) => `${field}:${text}`),
  },
  { weight: 2, arbitrary: fc.constantFrom(...TAGS, "DEV", "dev/js/").map((tag) => `#${tag}`) },
  { weight: 1, arbitrary: fc.constantFrom(...TAGS).map((tag) => `tag:=${tag}`) },
  { weight: 1, arbitrary: fc.constant("tag:none") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...HOSTS, "münchen.de", "nowhere.example").map((host) => `site:${host}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom("after", "before", "on"),
        fc.constantFrom("2024", "2024-02", "2024-02-29", "2023-12-31", "1970", "9999"),
      )
      .map(([field, date]) => `${field}:${date}`),
  },
);

/** A query in the language that people write. */
export const queryText = fc.letrec<{ query: string; part: string }>((tie) => ({
  query: fc
    .array(fc.tuple(tie("part"), fc.constantFrom(" ", " ", " ", " OR ", " AND ")), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) =>
      parts.map(([part, join], index) => (index === parts.length - 1 ? part : part + join)).join(""),
    ),
  part: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: atom },
    { weight: 2, arbitrary: atom.map((text) => `-${text}`) },
    { weight: 1, arbitrary: tie("query").map((text) => `(${text})`) },
    { weight: 1, arbitrary: tie("query").map((text) => `NOT (${text})`) },
  ),
})).query;

import { expect, test } from "bun:test";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { parseQuery } from "../query/parser.ts";
import { ftsQuery } from "../query/sqlite-query.ts";
import { indexedDocument } from "../text/document.ts";
import { CommonPairs, NO_PAIRS } from "./common-pairs.ts";
import { ftsBody } from "./sqlite-document.ts";

const COMMON = new Set(["deep", "river", "東京"]);

interface Texts {
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly url?: string;
  readonly body?: string;
}

function pairsOf({ title = "", tags = [], url = "", body = "" }: Texts, commonWords = COMMON): string[] {
  const document = indexedDocument({
    id: 1,
    createdAt: 0,
    title,
    fields: { url, body },
    tags: tags.map((name) => ({ name, key: name })),
    page: "",
    host: "",
  });
  return ftsBody(document, commonWords)
    .split(" ")
    .filter((word) => word.lastIndexOf("^") > 0);
}

test("a document has each pair of adjacent common words once, with the mark of the part", () => {
  expect(pairsOf({ title: "Deep river, deep river" })).toEqual(["^:deep^river", "^:river^deep"]);
  expect(pairsOf({ tags: ["deep-river"] })).toEqual(["^.deep^river"]);
  expect(pairsOf({ url: "deep river", body: "deep river; river" })).toEqual(["^deep^river", "^river^river"]);
  expect(pairsOf({ title: "東京 river" })).toEqual(["^:東京^river"]);
});

test("words are no pair with another word, a gap or the border of a part between them", () => {
  expect(pairsOf({ title: "deep blue river" })).toEqual([]);
  expect(pairsOf({ title: "deep", url: "river", body: "deep" })).toEqual([]);
  expect(pairsOf({ title: "deep", tags: ["river", "deep"] })).toEqual([]);
  expect(pairsOf({ title: "deep river" }, new Set(["deep"]))).toEqual([]);
  expect(pairsOf({ title: "deep river" }, new Set())).toEqual([]);
});

test("a phrase of two common words is one word of the query; all other terms stay as they are", () => {
  const queryOf = (text: string, pairs: CommonPairs) => {
    const { root } = parseQuery(text, indexedBookmarks.vocabulary);
    return root && ftsQuery(root, 3, pairs);
  };
  const withPairs = (text: string) => {
    const pairs = new CommonPairs(JSON.stringify({ serial: 1, words: [...COMMON] }));
    const query = queryOf(text, pairs);
    return { query, areUsed: pairs.areUsed };
  };
  const used = {
    '"deep river"': '("^:deep^river" OR "^.deep^river" OR "^deep^river")',
    "deep-river": '("^:deep^river" OR "^.deep^river" OR "^deep^river")',
    '"Deep deep"': '("^:deep^deep" OR "^.deep^deep" OR "^deep^deep")',
    'title:"deep river"': '("^:deep^river")',
    'title:"東京 river"': '("^:東京^river")',
    'river -title:"deep river"': expect.stringContaining('NOT (("^:deep^river"))'),
  };
  for (const [text, query] of Object.entries(used)) expect(withPairs(text)).toEqual({ query, areUsed: true });
  const others = [
    '"deep river"*',
    '"deep river deep"',
    '"deep sea"',
    'url:"deep river"',
    '"東京都"',
    "deep river",
    "deep",
  ];
  for (const text of others)
    expect(withPairs(text)).toEqual({ query: queryOf(text, NO_PAIRS), areUsed: false });
});

import { expect, test } from "bun:test";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { parseQuery } from "../../search/query/parser.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { tagTerm } from "./tag-search.ts";

test.each(
  [
    "dev/js",
    "C#",
    "R&D",
    "日本",
    "none",
    "(x)",
    "x)",
    "a,b",
    ":-)",
    '12"',
    '"quoted"',
    'a"b',
    "=1",
    "=",
    '="',
  ].map((name) => [name, tagTerm(name)]),
)("The tag %s is the term %s", (name, term) => {
  const tag = { type: "tag", key: tagKey(name), isExact: false } as const;
  expect(parseQuery(term, indexedBookmarks.vocabulary).root).toEqual(tag);
  expect(parseQuery(`-${term}`, indexedBookmarks.vocabulary).root).toEqual({ type: "not", node: tag });
});

import { expect, test } from "bun:test";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { parseQuery, QUERY_MAX } from "./parser.ts";
import { plainWords } from "./plain-words.ts";
import { QueryError } from "./query-error.ts";

const { vocabulary } = indexedBookmarks;

test.each([
  ['"map (', "map"],
  ["maps OR (", "maps"],
  ["NOT AND (bread", "bread"],
  ["after:soon -(", "after soon"],
  ["(", ""],
  [`"${"word ".repeat(QUERY_MAX)}`, "word word word word word word word word word word"],
])("the words of a query that cannot be read, %s, can be searched for", (text, words) => {
  expect(() => parseQuery(text, vocabulary)).toThrow(QueryError);
  expect(plainWords(text)).toBe(words);
  expect(() => parseQuery(words, vocabulary)).not.toThrow();
});

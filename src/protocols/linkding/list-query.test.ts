import { expect, test } from "bun:test";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { parseQuery } from "../../search/query/parser.ts";
import { translateQuery } from "./list-query.ts";

test.each(["dev", "2024", "C#", '12"', '"x"', "a\\b", "=1", "none", "R&D", "it's"])(
  "#%s finds exactly this tag",
  (name) => {
    const { text } = translateQuery(`#${name}`);
    const { root } = parseQuery(text, indexedBookmarks.vocabulary);
    expect(root).toEqual({ type: "tag", key: name.toLowerCase(), isExact: true });
  },
);

import { expect, test } from "bun:test";
import { joinQueryParts, parseQueryParts } from "./query-parts.ts";

test("words, and what only narrows a search, each as it was typed", () => {
  const parts = parseQueryParts(
    'map "old paper" #maps tag:"R & D" site:a.example after:2026-01 -#work -city note:x 🗺 pre* is:unread -has:copy page:y',
  );
  expect(parts?.map(({ text, isFilter, isWord }) => [text, isFilter, isWord])).toEqual([
    ["map", false, true],
    ['"old paper"', false, false],
    ["#maps", true, false],
    ['tag:"R & D"', true, false],
    ["site:a.example", true, false],
    ["after:2026-01", true, false],
    ["-#work", true, false],
    ["-city", true, false],
    ["note:x", false, false],
    ["🗺", false, true],
    ["pre*", false, false],
    ["is:unread", true, false],
    ["-has:copy", true, false],
    ["page:y", false, false],
  ]);
  expect(parts?.map(({ field, value }) => `${field}=${value}`).slice(2, 7)).toEqual([
    "tag=maps",
    "tag=R & D",
    "site=a.example",
    "after=2026-01",
    "tag=work",
  ]);
  expect(joinQueryParts(parts?.slice(0, 3) ?? [])).toBe('map "old paper" #maps');
});

test.each(["(a b)", "a OR b", "a AND b", '"unclosed', "a)", "a before:x"])("%s has no such parts", (q) => {
  expect(parseQueryParts(q)).toBeUndefined();
});

test("a name that is no field is a word", () => {
  expect(parseQueryParts("re:deep -in:unread")).toMatchObject([
    { text: "re:deep", field: undefined, value: "re:deep", isWord: true },
    { text: "-in:unread", field: undefined, isExcluded: true },
  ]);
});

test("an empty search has none", () => {
  expect(parseQueryParts("  ")).toEqual([]);
});

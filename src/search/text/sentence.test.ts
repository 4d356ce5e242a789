import { expect, test } from "bun:test";
import { parseQuery } from "../query/parser.ts";
import { foundWords } from "./found-words.ts";
import { sentenceWith } from "./sentence.ts";

const filler = "Nothing of note happens here, and goes on for a while. ".repeat(2_000);
const vocabulary = { fields: {}, hasTags: false, hasSites: false };

function sentence(text: string, q: string): string | undefined {
  return sentenceWith(text, parseQuery(q, vocabulary).root);
}

test.each([
  ["The deep river flows.", "river", "The deep river flows."],
  ["Before it. The deep river flows.\nIt never sleeps.", "flows", "The deep river flows. It never sleeps."],
  [`${filler}The deep river flows. ${filler}`, "river", /^The deep river flows\. Nothing .* \u2026$/],
  // Where most of the words are.
  [`A river. ${filler}The deep river flows. ${filler}`, "deep river", /^The deep river flows\./],
  [
    `Deep in it, a river. ${filler}The deep river flows. ${filler}`,
    '"deep river"',
    /^The deep river flows\./,
  ],
  [`${filler}Z\u00fcrichs Stra\u00dfe`, "strasse", /Z\u00fcrichs Stra\u00dfe$/],
  [`${filler}\u6771\u4eac\u90fd\u306e\u5ddd`, "\u4eac\u90fd", /\u6771\u4eac\u90fd\u306e\u5ddd$/],
  [`${filler}Riverboats`, "river*", /Riverboats$/],
  [
    `${"word ".repeat(200)}river ${"word ".repeat(200)}`,
    "river",
    /^\u2026 (?:word )+river (?:word )+\u2026$/,
  ],
  [`${"x".repeat(1_000)} river${"\u{1f30a}".repeat(500)}`, "river", /^\u2026 river\u{1f30a}+ \u2026$/u],
  ["Nothing.", "river", undefined],
  ["", "river", undefined],
])("In %j, %s is in its sentence", (text, q, expected) => {
  const found = sentence(text, q);
  if (expected instanceof RegExp) expect(found).toMatch(expected);
  else expect(found).toBe(expected);
  if (found === undefined) return;
  expect(found.length).toBeLessThan(420);
  expect(found.isWellFormed()).toBe(true);
  expect(foundWords(found, parseQuery(q, vocabulary).root).length).toBeGreaterThan(0);
});

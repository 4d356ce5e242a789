import { expect, test } from "bun:test";
import { guardFormula, unguardFormula } from "../../records/own-csv.ts";

test.each([
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(1)", "'@SUM(1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", "'\r=1"],
  ["\n=1", "'\n=1"],
  ["'=1", "''=1"],
  ["''@x", "'''@x"],
  ["a=1", "a=1"],
  ["'quoted'", "'quoted'"],
  [" =1", " =1"],
  ["", ""],
])("%j is the field %j, and the same text again when read", (text, field) => {
  expect(guardFormula(text)).toBe(field);
  expect(unguardFormula(field)).toBe(text);
});

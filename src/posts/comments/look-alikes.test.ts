import { expect, test } from "bun:test";
import { looksLikeOneOf } from "./look-alikes.ts";

test.each([
  ["Ada Lovelace", "ada lovelace"],
  ["Ada Lovelace", "  Ada  Lovelace "],
  ["Ada Lovelace", "Ada\u00a0Lovelace"],
  ["Ada Lovelace", "Ada\u3000Lovelace"],
  ["Ada Lovelace", "Ada\u200a\u2009Lovelace"],
  ["Ada Lovelace", "Ada\u2800Lovelace"],
  ["Ada Lovelace", "AdaLovelace"],
  ["Ada Lovelace", "\u0410da Lovelace"],
  ["Ada Lovelace", "\u0410d\u0430 L\u043evel\u0430\u0441\u0435"],
  ["ada", "\u0430d\u0430"],
  ["Ada", "\u202eadA"],
  ["Ada", "\u{1d538}\u{1d555}\u{1d552}"],
  ["Anna", "\u0391nna"],
  ["HELEN", "\u041dELEN"],
  ["Albert", "AIbert"],
  ["Albert", "A1bert"],
  ["Wendy", "\uff37endy"],
  ["Mara", "rnara"],
  ["O'Neil", "O\u2019Neil"],
  ["M\u00fcller", "Mu\u0308ller"],
  ["\u0410\u0434\u0430", "Ad\u0430".replace("d", "\u0434")],
  ["editor", "edi\u200btor"],
  ["editor", "edi\u00adtor"],
  ["editor", "editor\u{e0041}"],
  ["editor", "\u3164editor"],
])("%s looks like %s", (name, other) => {
  expect(looksLikeOneOf(name, ["Somebody", other])).toBe(true);
  expect(looksLikeOneOf(other, ["Somebody", name])).toBe(true);
});

test.each([
  ["Ada", "Add"],
  ["Ada", "Ad\u00e1"],
  ["Ada", "Ada."],
  ["editor", "editors"],
  ["editor", "\u00c9ditor"],
  ["Anna", "Hannah"],
  ["\u5f20\u4f1f", "\u5f20\u5a1c"],
])("%s does not look like %s", (name, other) => {
  expect(looksLikeOneOf(name, [other])).toBe(false);
});

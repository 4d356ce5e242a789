import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { rounds } from "../../../test/support/run/full-run.ts";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { fold } from "./fold.ts";
import { tokenize } from "./tokens.ts";

/** Tokens as text: `!` follows an extra token, `?` an open one. */
function written(text: string): string {
  return [...tokenize(text)]
    .map(({ text: token, isExtra, isOpen }) => token + (isExtra ? "!" : "") + (isOpen ? "?" : ""))
    .join(" ");
}

describe("The tokens of a text", () => {
  test.each([
    ["Deep River, 2nd ed.", "deep river 2nd ed"],
    ["Zürich Zürich ŁÓDŹ Ærøskøbing", "zurich zurich lodz aeroskobing"],
    ["Garður Þórsmörk", "gardur thorsmork"],
    ["Straße STRASSE İstanbul Iğdır œuvre", "strasse strasse istanbul igdir oeuvre"],
    ["Ελλάδα ΟΔΌΣ Йод", "ελλαδα οδοσ иод"],
    ["don't node.js next-js snake_case a/b", "don t node js next js snake case a b"],
    ["C++ and F#, c#; g++. a+b a#b 1+1 x+++", "c++ c! and f# f! c# c! g++ g! a b a b 1 1 x"],
    ["½ ﬁn ＡＢＣ №", "1 2 fin abc"],
    ["東京大学", "東京 京大 大学 学!?"],
    ["京", "京?"],
    ["iPhone東京 2024年", "iphone 東京 京!? 2024 年?"],
    ["ガギ ﾊﾞﾅﾅ カタカナー", "ガギ ギ!? バナ ナナ ナ!? カタ タカ カナ ナー ー!?"],
    ["한국어", "한국 국어 어!?"],
    ["ไทย हिन्दी", "ไท ทย ย!? हिन्दी"],
    ["عربى עברית", "عربى עברית"],
    ["שָׁלוֹם כּוֹכָב", "שלום כוכב"],
    ["مُحَمَّد الْقُرْآن محمـــد أَمْن", "محمد القرآن محمد أمن"],
    ["Ge\u00adsamt\u00adkonzept\u200b, foo\ufeffbar\u2060", "gesamtkonzept foobar"],
    ["می\u200cخواهم हि\u200dन्दी a\u200d👩‍🚀", "میخواهم हिन्दी a 👩‍🚀!"],
    ["東\u200b京大\u00ad学 iPhone\u200b京", "東京 京大 大学 学!? iphone 京?"],
    ["\u00ad \u200b\u200f ـ", ""],
    ["& -- # 🏽 ™ ↔ ★", ""],
    ["A 🍋 cake😀🍋", "a 🍋! cake 😀! 🍋!"],
    ["❤️ ❤ ❤️text ❤︎x", "❤! ❤! ❤! text ❤! x"],
    ["👍🏽 👍 ✌️🏿 👩🏽‍🚀 👩‍🚀", "👍! 👍! ✌! 👩‍🚀! 👩‍🚀!"],
    ["👩‍👩‍👧 🏳️‍🌈 ❤️‍🔥 🙂‍↔️", "👩‍👩‍👧! 🏳‍🌈! ❤‍🔥! 🙂‍↔!"],
    ["🇩🇪🇫🇷 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇩", "🇩🇪! 🇫🇷! 🏴󠁧󠁢󠁳󠁣󠁴󠁿!"],
    ["1️⃣ 2⃣ #️⃣ *️⃣ c#️⃣", "１⃣! ２⃣! ＃⃣! ＊⃣! c ＃⃣!"],
    ["京🍋都 c++🍋", "京? 🍋! 都? c++ c! 🍋!"],
    ["", ""],
  ])("%j are %j", (text, tokens) => {
    expect(written(text)).toBe(tokens);
  });

  test("are cut at 64 characters", () => {
    expect([...tokenize("a".repeat(1_000))].map(({ text }) => text)).toEqual(["a".repeat(64)]);
    expect([...tokenize("𝒜".repeat(100))].map(({ text }) => text)).toEqual(["a".repeat(64)]);
  });

  test("have their positions in the text", () => {
    const text = "In Zürich, 東京大学 and ﾊﾞﾅﾅ";
    const ranges = [...tokenize(text)].map(({ text: token, start, end }) => [token, text.slice(start, end)]);
    expect(ranges).toEqual([
      ["in", "In"],
      ["zurich", "Zürich"],
      ["東京", "東京"],
      ["京大", "京大"],
      ["大学", "大学"],
      ["学", "学"],
      ["and", "and"],
      ["バナ", "ﾊﾞﾅﾅ"],
      ["ナナ", "ﾊﾞﾅﾅ"],
      ["ナ", "ﾊﾞﾅﾅ"],
    ]);
  });

  test("of any text are in order, never empty, and folded", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })), (text) => {
        let start = 0;
        for (const token of tokenize(text)) {
          expect(token.text).not.toBe("");
          expect(token.start).toBeGreaterThanOrEqual(start);
          expect(token.end).toBeGreaterThan(token.start);
          expect(token.text).not.toMatch(/["'\\\s]/);
          start = token.start;
        }
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: rounds(200, 3_000) },
    );
  });

  test.each([
    "a",
    "é",
    "a\u0301",
    "京",
    "a京",
    "+",
    "c++",
    "\u0301",
    "a#",
    "ﾊﾞ",
    "🍋",
    "👩\u200d",
    "🏴\u{e0067}",
    "\u{e0067}",
    "1\ufe0f\u20e3",
    "🇩",
    "\u200b",
    "a\u00ad",
    "ش\u064b",
    "京\u200b",
  ])("of a text of nothing but %j are found in linear time", async (piece) => {
    const counting = await countingModules<typeof import("./tokens.ts")>(import.meta.resolve("./tokens.ts"));
    await expectLinear((length) => Array.from(counting.tokenize(piece.repeat(length))));
  });
});

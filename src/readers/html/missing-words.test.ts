import { describe, expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { MissingWordsReport, missingWords } from "./missing-words.ts";

describe("Words that are missing", () => {
  test("are counted, and shown where the longest part of them is", () => {
    const source = "<p>The sun rises over the <b>old</b> town.</p><p>All sleep.</p>";
    expect(missingWords([source], ["All. sleep town"])).toEqual({
      count: 6,
      example: "The sun rises over the old",
    });
    expect(missingWords([source], ["The sun sleep over town. All"])).toEqual({
      count: 3,
      example: "the old",
    });
    expect(missingWords(["a b c d e f g h i j"], [])).toEqual({ count: 10, example: "a b c d e f g h" });
  });

  test.each([
    ["in another order", "<p>one</p><p>two</p>", "two one"],
    ["as character references", "caf&eacute; &amp; t&#233;", "café & té"],
    ["in other elements", "<b>b</b>old<br>er", "<p>bold</p>er"],
    ["that nobody reads", "one<script>let two;</script><style>.three{}</style><!-- four -->", "one"],
    ["of attributes", '<img alt="sun" src="sun.jpg">', ""],
    ["without spaces between them", "日の出は美しい", "美しい 日の出は"],
    ["with characters that cannot be stored", "o\0ne \ud800", "one \ufffd"],
  ])("are none: words %s", (_, source, stored) => {
    expect(missingWords([source], [stored])).toBeUndefined();
  });

  test("of a language without spaces are characters", () => {
    expect(missingWords(["日の出は美しい"], ["日の出は"])).toEqual({ count: 3, example: "美しい" });
  });

  test("of ten posts are shown, and the other posts are counted", () => {
    const report = new MissingWordsReport();
    for (let number = 1; number <= 12; number++)
      report.compare(
        `No. ${number}`,
        { file: "blog.xml", line: number },
        ["one two"],
        number === 2 ? ["one two"] : ["one"],
      );
    expect(report.notes).toHaveLength(11);
    expect(report.notes[1]).toEqual({
      ...{ file: "blog.xml", line: 3, code: "words_missing" },
      detail: "“No. 3”: 1 word of its text does not come in: “two”.",
    });
    expect(report.notes.at(-1)?.detail).toBe("Words of 1 more post does not come in.");
  });

  test("are shown with their first ones when they are many", () => {
    const report = new MissingWordsReport();
    report.compare("Many", { file: "a", line: 1 }, ["one two three four five six seven eight nine ten"], []);
    expect(report.notes[0]?.detail).toBe(
      "“Many”: 10 words of its text do not come in, such as “one two three four five six seven eight”.",
    );
  });

  test("are shown in a line of some characters", () => {
    const report = new MissingWordsReport();
    report.compare("Long", { file: "a", line: 1 }, ["x".repeat(1_000)], []);
    expect(report.notes[0]?.detail).toBe(
      `“Long”: 1 word of its text does not come in: “${"x".repeat(80)}…”.`,
    );
  });

  test.each(["x", "日", "x ", "<b>", "<p", "<!--", "&amp;", "x<script>", "x</p>", "\u0301", "x\u200b"])(
    "are found in a text of nothing but %j in a time that grows with it alone",
    async (piece) => {
      const counting = await countingModules<typeof import("./missing-words.ts")>(
        import.meta.resolve("./missing-words.ts"),
      );
      await expectLinear((length) => {
        const text = piece.repeat(length);
        counting.missingWords([text], [text]);
        counting.missingWords([text], []);
      });
    },
  );
});

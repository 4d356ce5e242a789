import { describe, expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../test/support/steps/count-steps.ts";
import { tagsOf, textOf } from "./description-tags.ts";

describe("The tags of a description", () => {
  test.each([
    [
      "#web at the start, then after white space:\n#Dev/JS\t#self-hosted pages",
      ["web", "Dev/JS", "self-hosted"],
    ],
    ["C# and https://example.com/#top are none, nor are # heading and #1", []],
    ["inside text, digits need a letter among them: #2024 #2024-plan", ["2024-plan"]],
    [
      "inside text, closing punctuation is left off: #one. #two, (#three) #four! #five/ #six- #seven…",
      ["one", "two", "four", "five", "six", "seven"],
    ],
    ["but not what names have: #C++ #.NET #node.js #snake_case", ["C++", ".NET", "node.js", "snake_case"]],
    ["any script: #日本語 #größe #हिन्दी #Ελλάδα", ["日本語", "größe", "हिन्दी", "Ελλάδα"]],
    ["the keycap emoji is no hash sign: #️⃣ #️⃣one", []],
    ["#️⃣", []],
    ["one tag in two spellings counts once: #Web #web #WEB", ["Web"]],
    ["nor in two encodings: #caf\u00e9 #cafe\u0301", ["caf\u00e9"]],
    ["nothing follows here: # #- #/ ## #", []],
    ["text #one#two", ["one"]],
    ["The tag line takes any name.\n#2024 #C# #R&D #@home", ["2024", "C#", "R&D", "@home"]],
    ["#2024 #C# #R&D", ["2024", "C#", "R&D"]],
    ["blank lines may follow\r\n\r\n  #2024\t#dev.  \r\n \n", ["2024", "dev."]],
    ["commas separate\n#2024, #C#,, #a,b,", ["2024", "C#", "a,b"]],
    ["a bare # makes it no tag line\n#2024 # #C#", ["C"]],
    ["a word without # neither\n#2024 and #C#", ["C"]],
    ["only the last line is one:\n#2024\n#R&D", ["R&D"]],
    ["#text comes first\n#line #Text", ["text", "line"]],
    ["several hash signs count as one\n##dev", ["dev"]],
    ["", []],
    [" \n", []],
  ])("of %j", (description, tags) => {
    expect(tagsOf(description)).toEqual(tags);
  });

  test("have at most 200 characters each", () => {
    expect(tagsOf(`#${"a".repeat(201)} #${"é".repeat(200)} text`)).toEqual(["é".repeat(200)]);
    expect(tagsOf(`no tag line\n#2024 #${"a".repeat(201)}`)).toEqual([]);
    expect(tagsOf(`#2024 #${"😀".repeat(200)}`)).toEqual(["2024", "😀".repeat(200)]);
  });

  test.each(["#", ".", "-", "a/", "#.", "#a", "a#", "#-", "# ", "#a.", "#a ", ",", "#,", "\n", " ", "#\n"])(
    "take time that is linear in the length of a text of nothing but %j",
    async (piece) => {
      const counting = await countingModules<typeof import("./description-tags.ts")>(
        import.meta.resolve("./description-tags.ts"),
      );
      for (const start of ["", "#a", "text\n#a"])
        await expectLinear((length) => counting.tagsOf(start + piece.repeat(length)));
    },
  );
});

describe("The text of a description", () => {
  test.each([
    ["A page.\n#2024 #C#", "A page."],
    ["A page.\n\n#2024\n", "A page."],
    ["#2024", ""],
    ["A #page, and no tag line.\n", "A #page, and no tag line.\n"],
    ["", ""],
  ])("of %j", (description, text) => {
    expect(textOf(description)).toBe(text);
  });
});

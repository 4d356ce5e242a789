import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { startCpuTimer } from "../../test/support/cpu-time.ts";
import { findHashtags, hashtagKey, makeHashtag, makeNestedHashtag } from "./hashtags.ts";

describe("finding", () => {
  test.each([
    ["#web at the start, then after white space:\n#Dev/JS\t#self-hosted", ["web", "Dev/JS", "self-hosted"]],
    ["C# and https://example.com/#top are none, nor are # heading and #1", []],
    ["digits need a letter among them: #2024 #2024-plan", ["2024-plan"]],
    [
      "closing punctuation is left off: #one. #two, (#three) #four! #five/ #six- #seven…",
      ["one", "two", "four", "five", "six", "seven"],
    ],
    ["but not what names have: #C++ #.NET #node.js #snake_case", ["C++", ".NET", "node.js", "snake_case"]],
    ["any script: #日本語 #größe #हिन्दी #Ελλάδα", ["日本語", "größe", "हिन्दी", "Ελλάδα"]],
    ["the keycap emoji is no hash sign: #️⃣ #️⃣one", []],
    ["one tag in two spellings counts once: #Web #web #WEB", ["Web"]],
    ["nothing follows here: # #- #/ ## #", []],
    ["#one#two", ["one"]],
  ])("in %j", (text, tags) => {
    expect(findHashtags(text)).toEqual(tags);
  });

  test("takes time that is linear in the text's length", () => {
    for (const piece of ["#", "#.", "#a", "a#", "#-", "# ", "#a."]) {
      expect(milliseconds(() => findHashtags(piece.repeat(300_000)))).toBeLessThan(1_000);
      expect(milliseconds(() => findHashtags(`#a${piece.repeat(300_000)}`))).toBeLessThan(1_000);
    }
  });
});

describe("making", () => {
  test.each([
    ["web", "#web"],
    ["dev tools", "#dev-tools"],
    ["  spaced   out ", "#spaced-out"],
    ["Dev/JS", "#Dev/JS"],
    ["a//b/ /c/", "#a/b/c"],
    ["C++", "#C++"],
    ["C#", "#C"],
    [".NET", "#.NET"],
    ["@font-face", "#font-face"],
    ["R&D", "#R-D"],
    ["don't", "#dont"],
    ["etc.", "#etc"],
    ["❤️ love ❤️ you", "#love-you"],
    ["e\u0301te\u0301", "#e\u0301te\u0301"],
    ["\u0301a", "#a"],
    ["418", null],
    ["…", null],
    ["", null],
  ])("of %j gives %j", (text, hashtag) => {
    expect(makeHashtag(text)).toBe(hashtag);
  });

  test("of a path nests, but not at a slash inside a name", () => {
    expect(makeNestedHashtag(["Dev", "TCP/IP", "★", "2024"])).toBe("#Dev/TCP-IP/2024");
  });

  test("gives a hashtag that is found again as exactly that tag", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (one, other) => {
        for (const hashtag of [
          makeHashtag(one),
          makeHashtag(`${other}/${one}`),
          makeNestedHashtag([one, other]),
        ])
          if (hashtag !== null) expect(findHashtags(`${other} ${hashtag}`)).toContain(hashtag.slice(1));
      }),
      { numRuns: 2_000 },
    );
  });

  test("takes time that is linear in the text's length", () => {
    for (const piece of ["-", ".", " ", "a-", "❤️", "\u0301", "/", "-."])
      expect(
        milliseconds(() => makeHashtag(`a${piece.repeat(300_000)}a${piece.repeat(300_000)}`)),
      ).toBeLessThan(1_000);
  });
});

test("tags are compared without regard to case", () => {
  expect(hashtagKey("Dev/JS")).toBe(hashtagKey("dev/js"));
});

function milliseconds(work: () => void): number {
  const cpuTime = startCpuTimer();
  work();
  return cpuTime();
}

import { expect, test } from "bun:test";
import { ACCENTS, FRONT_PAGES, LOOK_THEMES, TEXT_FACES } from "../look/look.ts";
import { isSiteSetting } from "./setting-values.ts";

test("A file has pages elsewhere only with http or https", () => {
  expect(isSiteSetting("profiles", ["https://example.org/@me", "HTTP://example.org"])).toBe(true);
  for (const wrong of [
    ["javascript:alert(1)"],
    ["/about"],
    "https://example.org",
    Array(21).fill("https://example.org"),
  ])
    expect([wrong, isSiteSetting("profiles", wrong)]).toEqual([wrong, false]);
});

test.each([
  ["name", ["Margins"], ["", " ", 1]],
  ["language", ["en", "de-CH"], ["!!", "e", "english or so"]],
  ["profiles", [["https://a.example/@me"]], [["https://"], ["https://a b"]]],
  [
    "links",
    [[{ text: "A", url: "/a" }]],
    [[{ text: "A", url: "/\t/evil.example" }], [{ text: "A", url: "http://" }]],
  ],
])("A file has a value of %s only if the form takes it", (name, right, wrong) => {
  expect(right.filter((value) => !isSiteSetting(name, value))).toEqual([]);
  expect(wrong.filter((value) => isSiteSetting(name, value))).toEqual([]);
});

test("A file has the look of a site, in words that exist", () => {
  const words = { lookTheme: LOOK_THEMES, accent: ACCENTS, textFace: TEXT_FACES, frontPage: FRONT_PAGES };
  for (const [name, all] of Object.entries(words)) {
    for (const word of all) expect([name, word, isSiteSetting(name, word)]).toEqual([name, word, true]);
    for (const wrong of ["mauve", "constructor", "", null, 1, ["ink"], { x: 1 }])
      expect([name, wrong, isSiteSetting(name, wrong)]).toEqual([name, wrong, false]);
  }
});

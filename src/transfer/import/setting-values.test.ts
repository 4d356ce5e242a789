import { expect, test } from "bun:test";
import { ACCENTS, DEFAULT_LOOK, FRONT_PAGES, LOOK_THEMES, TEXT_FACES } from "../../web/look/look.ts";
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

test("A file has the look of a site, in words that exist", () => {
  const words = { lookTheme: LOOK_THEMES, accent: ACCENTS, textFace: TEXT_FACES, frontPage: FRONT_PAGES };
  expect(Object.keys(words)).toEqual(Object.keys(DEFAULT_LOOK));
  for (const [name, all] of Object.entries(words)) {
    for (const word of all) expect([name, word, isSiteSetting(name, word)]).toEqual([name, word, true]);
    for (const wrong of ["teal", "constructor", "", null, 1, ["ink"], { x: 1 }])
      expect([name, wrong, isSiteSetting(name, wrong)]).toEqual([name, wrong, false]);
  }
});

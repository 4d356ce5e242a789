import { expect, test } from "bun:test";
import { likelyPairs } from "./likely-pairs.ts";

const lastUsed = new Date(0);

function pairsOf(...names: string[]): string[] {
  const tags = names.map((name, index) => ({ name, count: 100 - index, withBelow: 100 - index, lastUsed }));
  return likelyPairs(tags).map(({ from, to }) => `${from.name} → ${to.name}`);
}

test.each([
  [["recipe", "recipes"], ["recipes → recipe"]],
  [["recipes", "recipe"], ["recipe → recipes"]],
  [["story", "stories"], ["stories → story"]],
  [
    ["movie", "movies", "pies", "pie", "py"],
    ["movies → movie", "pie → pies"],
  ],
  [["box", "boxes"], ["boxes → box"]],
  [
    ["e-mail", "Email", "emails"],
    ["Email → e-mail", "emails → e-mail"],
  ],
  [["café", "cafe"], ["cafe → café"]],
  [["dev/tool", "dev/tools"], ["dev/tools → dev/tool"]],
  [["c++", "c#", "c", "cs"], []],
  [["js", "j", "css", "cs", "ios", "io", "glass", "glas"], []],
  [["dev/web", "devweb", "dev"], []],
  [["-", "_", "."], []],
])("%p may be %p", (names, pairs) => {
  expect(pairsOf(...names)).toEqual(pairs);
});

test("the pairs that are used most come first, and eight are enough", () => {
  const names = Array.from({ length: 9 }, (_, index) => [`word${index}a`, `word${index}as`]).flat();
  expect(pairsOf(...names)).toHaveLength(8);
  expect(pairsOf(...names)[0]).toBe("word0as → word0a");
});

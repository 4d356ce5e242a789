import { expect, test } from "bun:test";
import { contrast } from "../../test/support/pages/contrast.ts";
import { GROUNDS } from "./letters.ts";
import sheet from "./public/common.css" with { type: "text" };

/** Two colors, for light and dark pages, each with the saturation and the lightness of a hue. */
const COLORS = String.raw`light-dark\(hsl\(var\(--hue\) (\d+% \d+%)\), hsl\(var\(--hue\) (\d+% \d+%)\)\)`;

test("a letter that stands for a picture can be read on each ground, in both themes", () => {
  const [, ...colors] =
    new RegExp(String.raw`\.g0, [^{]*\{\s*color: ${COLORS};\s*background: ${COLORS};`).exec(sheet) ?? [];
  const [front = "", darkFront = "", ground = "", darkGround = ""] = colors;
  const hues = [...sheet.matchAll(/\.g(\d) \{\s*--hue: (\d+);/g)];
  expect(hues.map(([, number]) => Number(number))).toEqual([...Array(GROUNDS).keys()]);
  for (const [, , hue] of hues) {
    for (const pair of [
      [front, ground],
      [darkFront, darkGround],
    ]) {
      const [one = "", other = ""] = pair.map((color) => Bun.color(`hsl(${hue} ${color})`, "hex") ?? "");
      expect([one[0], other[0]]).toEqual(["#", "#"]);
      expect(contrast(one, other)).toBeGreaterThanOrEqual(4.5);
    }
  }
});

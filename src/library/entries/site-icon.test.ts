import { expect, test } from "bun:test";
import { contrast } from "../../../test/support/pages/contrast.ts";
import { GROUNDS } from "../../web/letters.ts";
import sheet from "../../web/public/library.css" with { type: "text" };

test("the letter of a site can be read on each ground, in both themes", () => {
  const [, front = "", saturation = "", lightness = ""] =
    /\.site \{[^}]*\bcolor: (#\w+);\s*background: hsl\(var\(--hue\) (\d+)% (\d+)%\);/.exec(sheet) ?? [];
  const hues = [...sheet.matchAll(/\.g(\d) \{\s*--hue: (\d+);/g)];
  expect(hues.map(([, number]) => Number(number))).toEqual([...Array(GROUNDS).keys()]);
  for (const [, , hue] of hues) {
    const ground = Bun.color(`hsl(${hue} ${saturation}% ${lightness}%)`, "hex");
    expect(ground).toStartWith("#");
    expect(contrast(front, ground ?? "")).toBeGreaterThanOrEqual(4.5);
  }
});

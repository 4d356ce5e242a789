import { expect, test } from "bun:test";
import { countUndescribed } from "./undescribed-images.ts";

const TEXTS = [
  ["No image, [](a) and [a](b).", 0],
  ["![](/media/1.png)", 1],
  ["![ ](/media/1.png) and\n\n![](<a (b).png>)![](a(b).png)", 3],
  ['![](/media/1.png "A caption says something else")', 1],
  ["![Described](/media/1.png) ![](/media/2.png)", 1],
  // An empty caption: only decoration.
  ['![](/media/1.png "") ![](<a (b).png> "")\n![](a(b).png  ""  )', 0],
  ["![](/media/1.png '')", 0],
  // Code.
  ["An image is `![](address)`.", 0],
  ["```md\n![](address)\n```\n![](/media/1.png)", 1],
  ["~~~~\n~~~\n![](address)", 0],
] as const;

test.each(TEXTS)("%s has %d images without a description", (text, count) => {
  expect(countUndescribed(text)).toBe(count);
});

test("a text of any kind takes no longer than its length", () => {
  for (const piece of ["![](", "![](<", "![](()", "![](a ", "![ ", "`a``", "```\n", "~~~a\n", "![](( "])
    expect(countUndescribed(piece.repeat(200_000 / piece.length))).toBeGreaterThanOrEqual(0);
});

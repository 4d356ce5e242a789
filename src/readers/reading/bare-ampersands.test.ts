import { expect, test } from "bun:test";
import { BareAmpersands } from "./bare-ampersands.ts";

async function escaped(text: string, size: number): Promise<readonly [string, number]> {
  const ampersands = new BareAmpersands();
  async function* pieces() {
    for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
  }
  let whole = "";
  for await (const piece of ampersands.escape(pieces())) whole += piece;
  return [whole, ampersands.count];
}

const LONG = "x".repeat(100);

test.each([
  [
    "<a>Fish & chips &amp; &#233; &#xe9; &mdash;</a>",
    "<a>Fish &amp; chips &amp; &#233; &#xe9; &mdash;</a>",
    1,
  ],
  ['<a b="?x=1&y=2">&&;</a>', '<a b="?x=1&amp;y=2">&amp;&amp;;</a>', 3],
  [
    `<a><![CDATA[a & b]]>${LONG}<!-- & --><?x & ?>&</a>`,
    `<a><![CDATA[a & b]]>${LONG}<!-- & --><?x & ?>&amp;</a>`,
    1,
  ],
  [`<![CDATA[ & ${LONG} & ]] ]]>&${LONG}&`, `<![CDATA[ & ${LONG} & ]] ]]>&amp;${LONG}&amp;`, 2],
  ["", "", 0],
])("%j", async (given, expected, count) => {
  for (const size of [1, 2, 7, 43, 50, 1_000]) expect(await escaped(given, size)).toEqual([expected, count]);
});

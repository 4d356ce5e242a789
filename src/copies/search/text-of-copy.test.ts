import { expect, test } from "bun:test";
import { searchedText, textOfCopy } from "./text-of-copy.ts";

const LINK = '<p><a href="https://example.com/of-a-page">word</a></p>';

test("A text of usual length is searched to its end", () => {
  const html = `${LINK.repeat(10_000)}<p>end</p>`;
  expect(searchedText(html)).toBe(textOfCopy(html));
});

test.each(Array.from({ length: LINK.length }, (_, index) => index))(
  "Of a text that is too long, the beginning is searched, and no half of a tag: %i more",
  (more) => {
    const lines = searchedText(`${"a".repeat(more)}${LINK.repeat(40_000)}`).split("\n");
    const words = new Set(lines.slice(1, -1));
    expect(lines.length).toBeLessThan(20_000);
    expect([...words]).toEqual(["word"]);
    expect("word").toStartWith(lines.at(-1) ?? "");
  },
);

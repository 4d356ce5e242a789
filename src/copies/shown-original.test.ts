import { expect, test } from "bun:test";
import { isTooMuch } from "./shown-original.ts";

test.each([
  [499_999, false],
  [500_000, false],
  [500_001, true],
])("An original with %i tags is too much to be shown: %p", (tags, expected) => {
  expect(isTooMuch({ bytes: Buffer.from(`text${"<b>".repeat(tags)}text`) })).toBe(expected);
});

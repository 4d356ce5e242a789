import { expect, test } from "bun:test";
import { editDistance } from "./corrections.ts";

test.each([
  ["garden", "garden", 0],
  ["gardne", "garden", 1],
  ["cyanotpye", "cyanotype", 1],
  ["gaden", "garden", 1],
  ["gardenn", "garden", 1],
  ["gerdan", "garden", 2],
  ["🗺x", "🗺y", 1],
] as const)("%s is as far from %s as %d edits", (one, other, distance) => {
  expect(editDistance(one, other, 2)).toBe(distance);
  expect(editDistance(other, one, 2)).toBe(distance);
});

test("words of very different lengths are far apart without being compared", () => {
  expect(editDistance("a", "abcdef", 2)).toBe(3);
});

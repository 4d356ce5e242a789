import { expect, test } from "bun:test";
import { shareFiles } from "./share-files.ts";

const DURATIONS = new Map(Array.from({ length: 40 }, (_, index) => [`${index}.test.ts`, 100 + index * 10]));
const FILES = [...DURATIONS.keys()];

const total = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + (DURATIONS.get(file) ?? Number.NaN), 0);

test("every file is in one batch", () => {
  for (const processes of [1, 2, 4, 8])
    expect(shareFiles(FILES, DURATIONS, processes).flat().toSorted()).toEqual(FILES.toSorted());
});

test("long batches come first, each for a process, and short ones with short files afterwards", () => {
  const batches = shareFiles(FILES, DURATIONS, 4);
  expect(batches).toHaveLength(8);
  const share = total(FILES) / 4;
  for (const [index, batch] of batches.entries())
    expect(Math.abs(total(batch) / share - (index < 4 ? 0.8 : 0.2))).toBeLessThan(0.06);
  expect(
    Math.max(
      ...batches
        .slice(4)
        .flat()
        .map((file) => total([file])),
    ),
  ).toBeLessThanOrEqual(250);
});

test("one file that takes longer than all others is alone", () => {
  const batches = shareFiles(
    ["long", "a", "b"],
    new Map([
      ["long", 100],
      ["a", 1],
      ["b", 1],
    ]),
    2,
  );
  expect(batches.find((batch) => batch.includes("long"))).toEqual(["long"]);
});

test("a file without a duration is taken for an average one, and a few files are a few batches", () => {
  expect(shareFiles(["new"], new Map(), 4)).toEqual([["new"]]);
  expect(shareFiles([...FILES, "new"], DURATIONS, 4).flat()).toContain("new");
  expect(shareFiles([], DURATIONS, 4)).toEqual([]);
});

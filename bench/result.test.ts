import { describe, expect, test } from "bun:test";
import { failed, median, type Round, summarise } from "./result.ts";
import { NotMeasurable, type Row } from "./row.ts";

const row: Row = {
  name: "row",
  group: "bookmarks",
  figure: "a figure",
  unit: "requests/s",
  limit: "a limit",
  goal: { atLeast: 0.8 },
  rounds: 3,
  prepare: () => Promise.reject(new Error("not measured here")),
};

const alone = { pinned: true };

const round = (limit: number, ours: number, busy = 1): Round => ({
  limit: { value: limit, busy },
  ours: { value: ours },
});

test("the median of an even number of values is the mean of the middle two", () => {
  expect(median([9, 1, 4, 2])).toBe(3);
  expect(median([9, 1, 4])).toBe(4);
});

test("a ratio is the median of the rounds' own ratios, so that a drift of the machine cancels out", () => {
  const [result] = summarise(row, [round(100, 90), round(50, 40), round(20, 17)], alone);
  expect(result).toMatchObject({ limit: 50, ours: 40, ratio: 0.85, met: true, spread: [0.8, 0.9] });
});

test("without a limit the goal is the figure's own", () => {
  const { limit: _, ...unlimited } = { ...row, goal: { atMost: 150 } };
  const rounds = [150, 151, 149].map((value) => ({ limit: undefined, ours: { value } }));
  expect(summarise(unlimited, rounds, alone)[0]).toMatchObject({ ours: 150, met: true, spread: [149, 151] });
});

test("a goal does not count as met when the limit was held up, but does count as missed", () => {
  const [held] = summarise(row, [round(100, 90, 0.5)], alone);
  expect(held?.met).toBeUndefined();
  expect(held?.idle).toBe(0.5);
  expect(summarise(row, [round(100, 70, 0.5)], alone)[0]?.met).toBe(false);
});

test("a row that failed misses its goal and has no figure", () => {
  const [result] = failed(row, new Error("3 of 10 requests failed"));
  expect(result).toMatchObject({ met: false, failure: "3 of 10 requests failed" });
  expect(result).not.toHaveProperty("ours");
});

describe("a figure that is measured along with another", () => {
  const beside: Row = {
    ...row,
    aside: [{ name: "p99", figure: "others", unit: "ms", goal: { atMost: 20 } }],
  };
  const waited = (ms: number): Round => ({ limit: undefined, ours: { value: 1, aside: [ms] } });

  test("has a line and a goal of its own", () => {
    const [, result] = summarise(beside, [waited(30), waited(18), waited(12)], alone);
    expect(result).toMatchObject({ name: "p99", ours: 18, met: true, spread: [12, 30] });
    expect(summarise(beside, [waited(30)], alone)[1]?.met).toBe(false);
  });

  test("fails with it", () => {
    expect(failed(beside, new Error("gone")).map(({ name }) => name)).toEqual(["row", "p99"]);
  });
});

test("a row that this machine cannot measure has not missed its goal", () => {
  const [result] = failed(row, new NotMeasurable("no C compiler"));
  expect(result).toMatchObject({ missing: "no C compiler" });
  expect(result?.met).toBeUndefined();
});

test("nothing is judged while other programs take a core", () => {
  const quiet = { ...round(100, 90), others: 0.01 };
  expect(summarise(row, [quiet], alone)[0]).toMatchObject({ met: true });
  const [result] = summarise(row, [{ ...quiet, others: 0.2 }], alone);
  expect(result).toMatchObject({ ratio: 0.9, others: 0.2 });
  expect(result?.met).toBeUndefined();
});

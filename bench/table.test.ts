import { describe, expect, test } from "bun:test";
import { asComparison, changesBetween } from "./compare.ts";
import { withTable } from "./document.ts";
import type { Report } from "./report.ts";
import type { Result } from "./result.ts";
import { asMarkdown, asTable } from "./table.ts";

const rate: Result = {
  name: "rate",
  figure: "a rate",
  unit: "requests/s",
  against: "a bare server",
  limit: 60_000,
  ours: 48_000,
  ratio: 0.8,
  goal: { atLeast: 0.8 },
  met: true,
  spread: [0.78, 0.84],
};
const time: Result = { name: "time", figure: "a time", unit: "ms", ours: 12, spread: [11, 13] };

const report: Report = {
  time: "2026-11-21T12:00:00.000Z",
  machine: {
    commonplace: "0.1.0",
    bun: "1.4.5",
    system: "linux x64",
    cpu: "a processor",
    cores: 2,
    memoryGiB: 24,
    pinned: true,
    onDisk: true,
  },
  load: "wrk 4.1.0",
  quick: false,
  rows: [rate, time],
};

describe("the table", () => {
  test("has a line for each figure, and says what the limit is", () => {
    const lines = asTable(report).split("\n");
    expect(lines[1]?.split(/ {2,}/)).toEqual([
      "a rate",
      "60,000/s",
      "48,000/s",
      "0.80",
      "≥ 0.80",
      "yes",
      "0.78 – 0.84",
    ]);
    expect(lines[2]).toStartWith("a time");
    expect(lines[2]).toEndWith("11 ms – 13 ms");
    expect(lines).toContain("Limit of rate: a bare server.");
  });

  test("reports what could not be measured, and why", () => {
    const missing = { ...time, missing: "no C compiler" };
    const text = asTable({ ...report, rows: [missing, rate] });
    expect(text.split("\n")[1]).toContain("not measured");
    expect(text).toContain("time was not measured: no C compiler.");
  });

  test("goes between the marks of a document, and only there", () => {
    const text = withTable("before\n<!-- table -->\nold\n<!-- /table -->\nafter\n", asMarkdown(report));
    expect(text).toStartWith("before\n<!-- table -->\n\n| | limit |");
    expect(text).toContain("| a rate | 60,000/s | 48,000/s | 0.80 | ≥ 0.80 | yes | 0.78 – 0.84 |");
    expect(text).not.toContain("old");
    expect(text).toEndWith("<!-- /table -->\nafter\n");
    expect(() => withTable("no marks", "")).toThrow("<!-- table -->");
  });
});

describe("a comparison", () => {
  const verdicts = (before: Result, now: Result) =>
    changesBetween([before], [now]).map(({ verdict }) => verdict);

  test("compares ratios, if there are any, since the machine affects both figures", () => {
    const [change] = changesBetween(
      [rate],
      [{ ...rate, limit: 30_000, ours: 27_000, ratio: 0.9, spread: [0.85, 0.92] }],
    );
    expect(change).toMatchObject({ before: "0.80", now: "0.90", verdict: "better" });
    expect(change?.change).toBeCloseTo(0.125);
  });

  test("sees no change where the spreads touch", () => {
    expect(verdicts(rate, { ...rate, ratio: 0.9, spread: [0.84, 0.95] })).toEqual(["within the spread"]);
  });

  test("counts more milliseconds as worse", () => {
    expect(verdicts(time, { ...time, ours: 20, spread: [19, 21] })).toEqual(["worse"]);
    expect(verdicts(time, { ...time, ours: 5, spread: [4, 6] })).toEqual(["better"]);
  });

  test("has no verdict for a single measurement", () => {
    expect(verdicts(rate, { ...rate, ratio: 0.9, spread: [0.9, 0.9] })).toEqual(["measured once"]);
  });

  test("leaves out what one of the two lacks", () => {
    expect(changesBetween([rate], [time])).toEqual([]);
    expect(verdicts(rate, { name: "rate", figure: "a rate", unit: "requests/s", failure: "gone" })).toEqual(
      [],
    );
  });

  test("warns when the two were measured differently", () => {
    expect(asComparison({ ...report, quick: true }, report)).toContain("measured differently");
    expect(asComparison(report, report)).not.toContain("measured differently");
  });
});

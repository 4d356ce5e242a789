import { readFileSync } from "node:fs";
import type { Report } from "./report.ts";
import type { Result, Spread } from "./result.ts";
import { columns, judged } from "./table.ts";

/** What became of a figure from one report to the next. */
export interface Change {
  readonly figure: string;
  readonly before: string;
  readonly now: string;
  /** Relative: 0.1 is a tenth more than before. */
  readonly change: number;
  readonly verdict: "better" | "worse" | "within the spread" | "measured once";
}

/** Reads what `--json` printed, after the lines that npm prints before it. @throws Error when it is no report */
export function readReport(file: string): Report {
  const text = readFileSync(file, "utf8");
  const report = JSON.parse(text.slice(text.search(/^\{/m)));
  if (Array.isArray(report?.rows) && report.machine !== undefined) return report;
  throw new Error(`${file} is not a report of this benchmark.`);
}

/** The changes for people. */
export function asComparison(before: Report, now: Report): string {
  const changes = changesBetween(before.rows, now.rows);
  const lines = changes.map(({ figure, before, now, change, verdict }) => [
    figure,
    before,
    now,
    `${change < 0 ? "−" : "+"}${Math.abs(change * 100).toFixed(0)} %`,
    verdict,
  ]);
  const head = [`against ${before.time}`, "before", "now", "change", ""];
  const unlike =
    before.quick !== now.quick || before.load !== now.load || before.machine.cpu !== now.machine.cpu;
  return [
    ...columns([head, ...lines]),
    ...(unlike ? ["", "The two were measured differently: only the ratios can be compared."] : []),
  ].join("\n");
}

/**
 * What has changed, for each figure that both reports have: of its ratio where it has one, since two runs share
 * nothing else. A change counts only when the two spreads do not touch; one round has no spread.
 */
export function changesBetween(before: readonly Result[], now: readonly Result[]): Change[] {
  return now.flatMap((result) => {
    const former = before.find(({ name }) => name === result.name);
    const [old, recent] = [judged(former), judged(result)];
    if (old === undefined || recent === undefined || !former?.spread || !result.spread) return [];
    return {
      figure: result.figure,
      before: old.text,
      now: recent.text,
      change: recent.value / old.value - 1,
      verdict: verdictOn(former.spread, result.spread, moreIsBetter(result)),
    };
  });
}

function verdictOn(before: Spread, now: Spread, moreIsBetter: boolean): Change["verdict"] {
  if (before[0] === before[1] || now[0] === now[1]) return "measured once";
  if (touch(before, now)) return "within the spread";
  return now[0] > before[1] === moreIsBetter ? "better" : "worse";
}

function touch([low, high]: Spread, [otherLow, otherHigh]: Spread): boolean {
  return low <= otherHigh && otherLow <= high;
}

function moreIsBetter({ unit }: Result): boolean {
  return unit.endsWith("/s");
}

import { readFileSync } from "node:fs";
import type { Report } from "./report.ts";
import type { Result, Spread } from "./result.ts";
import { columns, judged } from "./table.ts";

/** The change of a figure between two reports. */
export interface Change {
  readonly figure: string;
  readonly before: string;
  readonly now: string;
  /** Relative: 0.1 is an increase of a tenth. */
  readonly change: number;
  readonly verdict: "better" | "worse" | "within the spread" | "measured once";
}

/**
 * Reads the output of `--json`, after the lines that npm prints first. @throws Error when the file is not a
 * report
 */
export function readReport(file: string): Report {
  const text = readFileSync(file, "utf8");
  const report = JSON.parse(text.slice(text.search(/^\{/m)));
  if (Array.isArray(report?.rows) && report.machine !== undefined) return report;
  throw new Error(`${file} is not a report of this benchmark.`);
}

/** The changes as text. */
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
 * The change of each figure that both reports have. Where there is a ratio, it is compared, since the machine
 * may differ between two runs. A change counts only if the two spreads do not overlap; a single round has no
 * spread.
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

import type { Machine } from "./machine.ts";
import type { Report } from "./report.ts";
import type { Result } from "./result.ts";

const HEAD = ["", "limit", "ours", "ratio", "goal", "met", "spread"];

/** The report for people: the table, what must be known of its figures, and the machine. */
export function asTable({ rows, machine, load, quick }: Report): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row.map((cell, column) => padded(cell, widths[column], column)).join("  "),
  );
  return [
    ...lines.map((line) => line.trimEnd()),
    "",
    ...rows.flatMap(remarksOn),
    `${quick ? "A quick run; " : ""}load by ${load}${machine.pinned ? "" : ", not on a core of its own"}.`,
    machineLine(machine),
  ].join("\n");
}

function cellsOf(result: Result): string[] {
  const { figure, unit, limit, ours, ratio, goal, met, spread, failure } = result;
  const inUnit = (value: number | undefined) => (value === undefined ? "" : quantity(value, unit));
  const judged = ratio === undefined ? inUnit : (value: number) => value.toFixed(2);
  return [
    figure,
    inUnit(limit),
    failure === undefined ? inUnit(ours) : "failed",
    ratio?.toFixed(2) ?? "",
    goal === undefined
      ? ""
      : "atLeast" in goal
        ? `≥ ${goal.atLeast.toFixed(2)}`
        : `≤ ${quantity(goal.atMost, unit)}`,
    goal === undefined ? "" : met === undefined ? "?" : met ? "yes" : "no",
    spread === undefined ? "" : spread.map(judged).join(" – "),
  ];
}

function quantity(value: number, unit: Result["unit"]): string {
  const digits = { "requests/s": 0, ms: 0, s: 2, MiB: 0 }[unit];
  const number = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit === "requests/s" ? `${number}/s` : `${number} ${unit}`;
}

/** Text to the left, as is the last column; figures to the right. */
function padded(cell: string, width = 0, column: number): string {
  return column === 0 || column === HEAD.length - 1 ? cell.padEnd(width) : cell.padStart(width);
}

function remarksOn({ figure, against, failure, caveat }: Result): string[] {
  return [
    ...(against === undefined ? [] : [`${figure}: the limit is ${against}.`]),
    ...(failure === undefined ? [] : [`${figure} failed: ${failure}.`]),
    ...(caveat === undefined ? [] : [`${figure}: ${caveat}.`]),
  ];
}

function machineLine({ commonplace, bun, system, cpu, cores, memoryGiB, onDisk }: Machine): string {
  const disk = onDisk
    ? ""
    : " The databases were in memory, where an fsync costs nothing: set TMPDIR to a disk.";
  return `commonplace ${commonplace}, Bun ${bun}, ${system}, ${cores} cores of ${cpu}, ${memoryGiB} GiB.${disk}`;
}

import type { Machine } from "./machine.ts";
import type { Report } from "./report.ts";
import type { Result } from "./result.ts";

const HEAD = ["", "limit", "ours", "ratio", "goal", "met", "spread"];

/** The report as text: the table, remarks on its figures, and the machine. */
export function asTable(report: Report): string {
  return [...columns([HEAD, ...report.rows.map(cellsOf)]), "", ...remarksOn(report)].join("\n");
}

/** The same in Markdown. */
export function asMarkdown(report: Report): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("  ", " ");
  const remarks = remarksOn(report).map((remark) => `- ${remark}`);
  return [
    line(HEAD),
    `|${"---|".repeat(HEAD.length)}`,
    ...report.rows.map((row) => line(cellsOf(row))),
    "",
    ...remarks,
  ].join("\n");
}

/** Aligns lines of cells: text and the last column to the left, figures to the right. */
export function columns(lines: readonly (readonly string[])[]): string[] {
  const last = (lines[0]?.length ?? 0) - 1;
  const widths = Array.from({ length: last + 1 }, (_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  return lines.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 || column === last
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** The value by which a result is judged: its ratio if there is one, else its figure. */
export function judged(result: Result | undefined): { value: number; text: string } | undefined {
  const value = result?.ratio ?? result?.ours;
  if (result === undefined || value === undefined) return undefined;
  return { value, text: judgedText(result, value) };
}

function cellsOf(result: Result): string[] {
  const { figure, unit, limit, ours, ratio, goal, met, spread, failure, missing } = result;
  const inUnit = (value: number | undefined) => (value === undefined ? "" : quantity(value, unit));
  return [
    figure,
    inUnit(limit),
    failure !== undefined ? "failed" : missing !== undefined ? "not measured" : inUnit(ours),
    ratio?.toFixed(2) ?? "",
    goal === undefined ? "" : goalText(result, goal),
    goal === undefined ? "" : met === undefined ? "?" : met ? "yes" : "no",
    spread === undefined ? "" : spread.map((value) => judgedText(result, value)).join(" – "),
  ];
}

function goalText(result: Result, goal: NonNullable<Result["goal"]>): string {
  return "atLeast" in goal ? `≥ ${judgedText(result, goal.atLeast)}` : `≤ ${judgedText(result, goal.atMost)}`;
}

/** A ratio if the result has a limit, else a quantity. */
function judgedText({ against, unit }: Result, value: number): string {
  return against === undefined ? quantity(value, unit) : value.toFixed(2);
}

function quantity(value: number, unit: Result["unit"]): string {
  const small = Math.abs(value) < 10 ? 1 : 0;
  const digits = { "requests/s": 0, ms: small, s: 2, MiB: 0, "MiB/s": 0, times: small }[unit];
  const number = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (unit === "times") return number;
  return unit === "requests/s" ? `${number}/s` : `${number} ${unit}`;
}

/** Remarks that readers need to interpret the figures, one sentence per line. */
function remarksOn({ rows, machine, load, quick, time }: Report): string[] {
  const idle = rows.flatMap((row) => (row.idle === undefined ? [] : `${row.name} ${percent(row.idle)}`));
  const refused = rows.flatMap((row) =>
    row.refused === undefined ? [] : `${row.name} ${percent(row.refused)}`,
  );
  const others = rows.flatMap((row) =>
    row.others === undefined ? [] : `${row.name} ${percent(row.others)}`,
  );
  return [
    ...limitsOf(rows),
    ...list("Other programs took so much of the measured cores that these are not judged", others),
    ...rows.flatMap(({ name, failure }) => (failure === undefined ? [] : `${name} failed: ${failure}.`)),
    ...rows.flatMap(({ name, missing }) =>
      missing === undefined ? [] : `${name} was not measured: ${missing}.`,
    ),
    ...list(
      "The limit was held up, by the load or by other programs, and left so much of its core idle",
      idle,
    ),
    ...list("Refused as too much at once, and not counted, in the worst round", refused),
    ...(quick ? ["A quick run: 100,000 stand for the 1,000,000."] : []),
    `Load by ${load}${machine.pinned ? "" : ", not on a core of its own"}; ${time}.`,
    machineLine(machine),
  ];
}

/** The descriptions of the limits, each with its rows. */
function limitsOf(rows: readonly Result[]): string[] {
  const limited = rows.filter(({ against }) => against !== undefined);
  const byLimit = Map.groupBy(limited, ({ against }) => against);
  return Array.from(byLimit, ([against, rows]) => `Limit of ${names(rows)}: ${against}.`);
}

function list(what: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${what}: ${items.join(", ")}.`];
}

function names(rows: readonly Result[]): string {
  return rows.map(({ name }) => name).join(", ");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function machineLine({ commonplace, bun, system, cpu, cores, memoryGiB, onDisk }: Machine): string {
  const disk = onDisk
    ? ""
    : " The databases were in memory, where an fsync costs nothing: set TMPDIR to a disk.";
  return `commonplace ${commonplace}, Bun ${bun}, ${system}, ${cores} cores of ${cpu}, ${memoryGiB} GiB.${disk}`;
}

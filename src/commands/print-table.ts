import { printable } from "../printable.ts";

/** Prints rows under their members' names, in columns; text from outside cannot touch the terminal. */
export function printTable(rows: readonly Readonly<Record<string, unknown>>[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => printable(String(row[name] ?? "-"))))];
  const widths = names.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  for (const cells of lines)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

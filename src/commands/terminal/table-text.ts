import { printable } from "../../printable.ts";

/** Rows as a text table with headings; control characters are escaped. */
export function tableText(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const [first] = rows;
  if (first === undefined) return "";
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => printable(String(row[name] ?? "-"))))];
  const widths = names.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const padded = (cells: readonly string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return lines.map((cells) => padded(cells).join("  ").trimEnd()).join("\n");
}

import { readFileSync, writeFileSync } from "node:fs";
import type { Report } from "./report.ts";
import { asMarkdown } from "./table.ts";

/** The marks around the table in a Markdown file. */
const MARKS = { begin: "<!-- table -->", end: "<!-- /table -->" } as const;

/** @throws Error when the document does not exist or has no marks for a table */
export function checkDocument(file: string): void {
  withTable(readFileSync(file, "utf8"), "");
}

/** Writes a report's table into a Markdown document. @throws Error as {@link checkDocument} */
export function writeInto(file: string, report: Report): void {
  writeFileSync(file, withTable(readFileSync(file, "utf8"), asMarkdown(report)));
}

/** Replaces the table between the marks of a text. @throws Error when the marks are missing */
export function withTable(text: string, table: string): string {
  const begin = text.indexOf(MARKS.begin);
  const end = text.indexOf(MARKS.end);
  if (begin < 0 || end < begin)
    throw new Error(`There is no ${MARKS.begin} … ${MARKS.end} to write between.`);
  return `${text.slice(0, begin + MARKS.begin.length)}\n\n${table}\n\n${text.slice(end)}`;
}

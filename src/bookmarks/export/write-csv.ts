import { writeFolderPath } from "../../records/folder-path.ts";
import { CSV_COLUMNS, guardFormula } from "../../records/own-csv.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import type { ExportedBookmark } from "./export-store.ts";

/** The first line: the names of the columns. */
export const CSV_HEADER = `${CSV_COLUMNS.join(",")}\r\n`;

/** A bookmark as a record of RFC 4180. */
export function csvRecord(bookmark: ExportedBookmark, folders: readonly string[]): string {
  const { url, title, description, states, createdAt, updatedAt } = bookmark;
  const fields = [
    ...[url, title, description, tagsOf(description).join(" "), writeFolderPath(folders)].map(guardFormula),
    ...[states.unread, states.archived, states.shared].map(String),
    ...[createdAt.toISOString(), updatedAt.toISOString()],
  ];
  return `${fields.map(quoted).join(",")}\r\n`;
}

/** Leading and trailing white space is quoted, since some programs would trim it. */
function quoted(field: string): string {
  return /["\r\n,;\t]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

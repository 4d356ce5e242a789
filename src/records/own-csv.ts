/** The names of the columns. */
export const CSV_COLUMNS = [
  ...["url", "title", "description", "tags", "folder"],
  ...["unread", "archived", "shared", "created_at", "updated_at"],
];

/** What spreadsheets take for the start of a formula, also behind apostrophes of the text itself. */
const FORMULA = /^'*[=+\-@\t\r\n]/;

/**
 * A field of our own CSV that no spreadsheet runs as a formula: it begins with an apostrophe then. Titles may come from
 * pages of strangers.
 */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text of a field that may have been guarded. */
export function unguardFormula(field: string): string {
  return field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
}

import type { Sql } from "../../database/database.ts";
import type { Outcome, RefusalCode } from "./import-report.ts";
import type { StagedBookmark, StagedImport } from "./import-staging.ts";
import type { FileRow } from "./netscape.ts";

/** Which bookmark, in which state. */
export interface StoredBookmark {
  readonly id: number;
  readonly version: number;
}

/** A bookmark that is kept already, as far as an import needs to know it. */
export interface UnchangedBookmark extends StoredBookmark {
  readonly title: string;
  readonly url: string;
  readonly description: string;
}

/** How many URLs are looked for at once: each time the whole collection is read, as no index has them. */
const URLS_AT_ONCE = 20_000;

/** The bookmarks that have been kept longest under each of some URLs in text form. */
export async function findBookmarksByUrl(
  sql: Sql,
  urls: readonly string[],
): Promise<Map<string, UnchangedBookmark>> {
  const kept = new Map<string, UnchangedBookmark>();
  for (let start = 0; start < urls.length; start += URLS_AT_ONCE) {
    const wanted = urls.slice(start, start + URLS_AT_ONCE);
    for (const row of await sql<UnchangedBookmark>(bookmarkSearch(wanted.length), ...wanted)) {
      const found = { ...row, id: Number(row.id), version: Number(row.version) };
      const oldest = kept.get(found.url);
      if (oldest === undefined || found.id < oldest.id) kept.set(found.url, found);
    }
  }
  return kept;
}

const bookmarkSearch = statements(
  "with wanted (url) as (values",
  1,
  `) select id, version, title, url, description from bookmarks where url in (select url from wanted)`,
);

/** How many rows one statement takes. */
export const BATCH_MAX = 50;

/**
 * Stores imported bookmarks, at most {@link BATCH_MAX} and no two with the same URL, with their own dates of
 * creation. The caller counts the changes.
 * @returns the new ids by URL
 */
export async function addImported(
  sql: Sql,
  bookmarks: readonly StagedBookmark[],
  now: Date,
): Promise<Map<string, number>> {
  const values = bookmarks.flatMap((bookmark) => {
    const { title, url, description, createdAt } = bookmark;
    return [title, url, description, createdAt, now];
  });
  const rows = await sql<{ id: number; url: string }>(bookmarkInserts(bookmarks.length), ...values);
  return new Map(rows.map(({ id, url }) => [url, Number(id)]));
}

// SQLite pays for `returning` by the statement, not by the row: fifty rows at once take a fifth of the time.
const bookmarkInserts = statements(
  "insert into bookmarks (title, url, description, created_at, updated_at) values",
  5,
  "returning id, url",
);

/**
 * The statements that take some number of rows, with a placeholder for each value. Each number's is one
 * object, as a template's strings are, so that it is prepared once.
 */
function statements(head: string, columns: number, tail: string): (rows: number) => TemplateStringsArray {
  const known = new Map<number, TemplateStringsArray>();
  const between = Array.from({ length: columns - 1 }, () => ", ");
  return (rows) => {
    const made = known.get(rows);
    if (made) return made;
    const others = Array.from({ length: rows - 1 }, () => ["), (", ...between]);
    const strings = [`${head} (`, ...between, ...others.flat(), `) ${tail}`];
    // As in a template's own strings, `raw` is not enumerable: drivers tell a template by that.
    const template: TemplateStringsArray = Object.defineProperty(strings as never, "raw", { value: strings });
    known.set(rows, template);
    return template;
  };
}

/**
 * Stores title and description over the version of a bookmark that was read; undefined when it has changed
 * since. The caller counts the change.
 */
export async function replaceImported(
  sql: Sql,
  kept: UnchangedBookmark,
  { title, description }: StagedBookmark,
  now: Date,
): Promise<StoredBookmark | undefined> {
  const [row] = await sql<{ version: number }>`
    update bookmarks
    set title = ${title}, description = ${description}, updated_at = ${now}, version = version + 1
    where id = ${kept.id} and version = ${kept.version} returning version`;
  return row && { id: kept.id, version: Number(row.version) };
}

/** Records an import. @returns its id */
export async function recordImport(sql: Sql, { fileName, now }: StagedImport): Promise<number> {
  const [row] = await sql<{ id: number }>`
    insert into imports (file_name, format, created_at) values (${fileName}, ${"netscape"}, ${now}) returning id`;
  if (row === undefined) throw new Error("an insert returned no row");
  return Number(row.id);
}

/** What is recorded of a row: the row itself, and what the import made of it. */
export interface RowRecord {
  readonly row: FileRow;
  readonly outcome: Outcome;
  readonly reason: RefusalCode | null;
  /** The bookmark as it is after the import; null when the row was refused. */
  readonly bookmark: StoredBookmark | null;
  /** An updated bookmark as it was before. */
  readonly before: UnchangedBookmark | null;
}

/** Records what an import made of rows of its file, at most {@link BATCH_MAX}. */
export async function recordRows(sql: Sql, importId: number, records: readonly RowRecord[]): Promise<void> {
  const values = records.flatMap(({ row, outcome, reason, bookmark, before }) => [
    ...[importId, row.position, row.line, outcome, reason, bookmark?.id ?? null, bookmark?.version ?? null],
    ...[before && contents(before), row.url, row.title, row.tags, row.date, JSON.stringify(row.folder.path)],
  ]);
  await sql(recordInserts(records.length), ...values);
}

const recordInserts = statements(
  `insert into import_rows (import_id, position, line, outcome, reason, bookmark_id, bookmark_version, before,
    raw_url, raw_title, raw_tags, raw_date, folders) values`,
  13,
  "",
);

function contents({ title, url, description }: UnchangedBookmark): string {
  return JSON.stringify({ title, url, description });
}

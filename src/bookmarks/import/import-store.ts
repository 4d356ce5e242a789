import type { Awaitable } from "../../awaitable.ts";
import type { Sql } from "../../database/database.ts";
import { rowList } from "../../database/fragment.ts";
import type { Outcome, RefusalCode } from "./import-report.ts";
import type { StagedBookmark, StagedImport } from "./import-staging.ts";
import type { FileRow } from "./netscape.ts";

/** Which bookmark, in which state. */
export interface StoredBookmark {
  readonly id: number;
  readonly version: number;
}

/** A bookmark that is kept already, as far as an import needs to know it. */
export interface ExistingBookmark extends StoredBookmark {
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
): Promise<Map<string, ExistingBookmark>> {
  const kept = new Map<string, ExistingBookmark>();
  for (let start = 0; start < urls.length; start += URLS_AT_ONCE) {
    const wanted = urls.slice(start, start + URLS_AT_ONCE);
    for (const row of await search(sql, wanted)) {
      const found = { ...row, id: Number(row.id), version: Number(row.version) };
      const oldest = kept.get(found.url);
      if (oldest === undefined || found.id < oldest.id) kept.set(found.url, found);
    }
  }
  return kept;
}

function search(sql: Sql, urls: readonly string[]): Awaitable<ExistingBookmark[]> {
  return sql<ExistingBookmark>`
    with wanted (url) as (values ${rowList(urls.map((url) => [url]))})
    select id, version, title, url, description from bookmarks where url in (select url from wanted)`;
}

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
  const added = bookmarks.map((bookmark) => {
    const { title, url, description, createdAt } = bookmark;
    return [title, url, description, createdAt, now];
  });
  // SQLite pays for `returning` by the statement, not by the row: fifty rows at once take a fifth of the time.
  const rows = await sql<{ id: number; url: string }>`
    insert into bookmarks (title, url, description, created_at, updated_at) values ${rowList(added)}
    returning id, url`;
  return new Map(rows.map(({ id, url }) => [url, Number(id)]));
}

/**
 * Stores title and description over the version of a bookmark that was read; undefined when it has changed
 * since. The caller counts the change.
 */
export async function replaceImported(
  sql: Sql,
  kept: ExistingBookmark,
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
  readonly before: ExistingBookmark | null;
}

/** Records what an import made of rows of its file, at most {@link BATCH_MAX}. */
export async function recordRows(sql: Sql, importId: number, records: readonly RowRecord[]): Promise<void> {
  const rows = records.map(({ row, outcome, reason, bookmark, before }) => [
    ...[importId, row.position, row.line, outcome, reason, bookmark?.id ?? null, bookmark?.version ?? null],
    ...[before && contents(before), row.url, row.title, row.tags, row.date, JSON.stringify(row.folder.path)],
  ]);
  await sql`
    insert into import_rows (import_id, position, line, outcome, reason, bookmark_id, bookmark_version, before,
      raw_url, raw_title, raw_tags, raw_date, folders) values ${rowList(rows)}`;
}

function contents({ title, url, description }: ExistingBookmark): string {
  return JSON.stringify({ title, url, description });
}

import type { BookmarkFields, BookmarkVersion } from "../../bookmarks/bookmark-writer.ts";
import type { Sql } from "../../database/database.ts";

/** Marks an import as undone; false if it is already undone, also by a concurrent transaction. */
export async function markUndone(sql: Sql, id: number, now: Date): Promise<boolean> {
  const rows =
    await sql`update imports set undone_at = ${now} where id = ${id} and undone_at is null returning id`;
  return rows.length > 0;
}

/** A part of an import's rows: the positions from `start` up to, not including, `end`. */
export interface Chunk {
  readonly importId: number;
  readonly start: number;
  readonly end: number;
}

/** The position of an import's last row. */
export async function lastPosition(sql: Sql, importId: number): Promise<number> {
  const [row] = await sql<{ last: number | null }>`
    select max(position) as last from import_rows where import_id = ${importId}`;
  return Number(row?.last ?? 0);
}

/** The number of bookmarks that a chunk added and updated. */
export async function countOutcomes(
  sql: Sql,
  { importId, start, end }: Chunk,
): Promise<{ added: number; updated: number }> {
  const rows = await sql<{ outcome: string; n: number }>`
    select outcome, count(*) as n from import_rows
    where import_id = ${importId} and position >= ${start} and position < ${end} group by outcome`;
  const count = (wanted: string) => Number(rows.find(({ outcome }) => outcome === wanted)?.n ?? 0);
  return { added: count("added"), updated: count("updated") };
}

/** A row whose bookmark has changed since the import. */
export interface ChangedRow {
  readonly position: number;
  readonly line: number;
  readonly outcome: "added" | "updated";
  readonly bookmarkId: number;
  /** The current fields of the bookmark; null when it was deleted. */
  readonly url: string | null;
  readonly title: string | null;
}

/** The rows of a chunk whose bookmarks were changed or deleted since, in their order. */
export async function listChanged(sql: Sql, { importId, start, end }: Chunk): Promise<ChangedRow[]> {
  const rows = await sql<ChangedRow & { bookmark_id: number }>`
    select r.position, r.line, r.outcome, r.bookmark_id, b.url, b.title
    from import_rows r left join bookmarks b on b.id = r.bookmark_id
    where r.import_id = ${importId} and r.position >= ${start} and r.position < ${end}
      and r.outcome in ('added', 'updated') and (b.id is null or b.version <> r.bookmark_version)
    order by r.position`;
  return rows.map(({ bookmark_id, ...row }) => ({ ...row, bookmarkId: Number(bookmark_id) }));
}

/** The unchanged bookmarks that a chunk added. */
export async function listAdded(sql: Sql, { importId, start, end }: Chunk): Promise<BookmarkVersion[]> {
  const rows = await sql<{ bookmark_id: number; bookmark_version: number }>`
    select r.bookmark_id, r.bookmark_version
    from import_rows r join bookmarks b on b.id = r.bookmark_id and b.version = r.bookmark_version
    where r.import_id = ${importId} and r.position >= ${start} and r.position < ${end} and r.outcome = 'added'`;
  return rows.map((row) => ({ id: Number(row.bookmark_id), version: Number(row.bookmark_version) }));
}

/** The unchanged bookmarks that a chunk updated, with their previous fields. */
export async function listUpdated(
  sql: Sql,
  { importId, start, end }: Chunk,
): Promise<(BookmarkVersion & BookmarkFields)[]> {
  const rows = await sql<{ bookmark_id: number; bookmark_version: number; before: string }>`
    select r.bookmark_id, r.bookmark_version, r.before
    from import_rows r join bookmarks b on b.id = r.bookmark_id and b.version = r.bookmark_version
    where r.import_id = ${importId} and r.position >= ${start} and r.position < ${end} and r.outcome = 'updated'
    order by r.position`;
  return rows.map((row) => ({
    id: Number(row.bookmark_id),
    version: Number(row.bookmark_version),
    ...(JSON.parse(row.before) as BookmarkFields),
  }));
}

/** Another import that skipped rows because this import had added their bookmarks. */
export interface Sharing {
  readonly importId: number;
  readonly fileName: string;
  readonly rows: number;
}

/** Imports (not undone) that skipped unchanged bookmarks of an import. */
export async function listSharing(sql: Sql, importId: number): Promise<Sharing[]> {
  const rows = await sql<{ id: number; file_name: string; n: number }>`
    select i.id, i.file_name, count(*) as n
    from import_rows r
      join bookmarks b on b.id = r.bookmark_id and b.version = r.bookmark_version
      join import_rows s on s.bookmark_id = r.bookmark_id and s.outcome = 'skipped' and s.import_id <> r.import_id
      join imports i on i.id = s.import_id and i.undone_at is null
    where r.import_id = ${importId} and r.outcome = 'added'
    group by i.id, i.file_name order by i.id`;
  return rows.map(({ id, file_name, n }) => ({ importId: Number(id), fileName: file_name, rows: Number(n) }));
}

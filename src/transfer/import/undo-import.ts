import type { Awaitable } from "../../awaitable.ts";
import {
  type BookmarkFields,
  type BookmarkVersion,
  type BookmarkWriter,
  changeBookmarks,
  writeBookmarks,
} from "../../bookmarks/bookmark-writer.ts";
import { moveRecordedVersions } from "../../bookmarks/recorded-versions.ts";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { findImport, type ImportRecord } from "./recorded-imports.ts";

/** The report of an undo, and the document that `import --undo --json` prints. */
export interface UndoReport {
  readonly import_id: number;
  readonly file: string;
  readonly imported_at: string;
  readonly dry_run: boolean;
  /** Added bookmarks that are now removed. */
  readonly removed: number;
  /** Updated bookmarks with their previous title and description restored. */
  readonly reverted: number;
  /** Imported bookmarks that were deleted since. */
  readonly gone: number;
  /** Bookmarks that were changed since and are left unchanged. */
  readonly kept: readonly {
    readonly position: number;
    readonly line: number;
    readonly bookmark_id: number;
    readonly url: string;
    readonly title: string;
  }[];
  /** Other imports that skipped rows because of the removed bookmarks. */
  readonly shared_with: readonly {
    readonly import_id: number;
    readonly file: string;
    readonly rows: number;
  }[];
}

/** The number of rows undone by one statement. */
const CHUNK_SIZE = 5_000;

/**
 * Undoes an import in one transaction: added bookmarks are removed, updated ones restored. Bookmarks that were changed
 * since, and those that the import skipped, stay as they are.
 *
 * @throws Refusal as {@link Database.write} does; `not_found`; `conflict` if it was undone before, or if
 *   a bookmark was changed during the undo
 */
export async function undoImport(database: Database, id: number, now: Date): Promise<UndoReport> {
  return writeBookmarks(database, now, (writer, sql) => undoWith(writer, sql, id, now));
}

/** {@link undoImport} within a transaction that undoes more than bookmarks. */
export function undoImportWithin(sql: Sql, id: number, now: Date): Awaitable<UndoReport> {
  return changeBookmarks(sql, now, (writer) => undoWith(writer, sql, id, now));
}

async function undoWith(writer: BookmarkWriter, sql: Sql, id: number, now: Date): Promise<UndoReport> {
  const record = await findUndoableImport(sql, id);
  if (!(await markUndone(sql, id, now))) throw undoneAlready(id);
  const report = await makeUndoReport(sql, record);
  let changes = 0;
  for (const chunk of await listChunks(sql, id)) changes += await revert(writer, sql, chunk);
  if (changes !== report.removed + report.reverted)
    throw new Refusal("conflict", "A bookmark was changed in the meantime; nothing was undone. Try again.");
  return { ...report, dry_run: false };
}

/** A dry run of {@link undoImport}; changes nothing. @throws Refusal as it does */
export async function previewUndo(read: Sql, id: number): Promise<UndoReport> {
  return makeUndoReport(read, await findUndoableImport(read, id));
}

/** @throws Refusal `not_found`; `conflict` if it was undone before */
async function findUndoableImport(sql: Sql, id: number): Promise<ImportRecord> {
  const record = await findImport(sql, id);
  if (record === undefined) throw new Refusal("not_found", `No import ${id}.`);
  if (record.undoneAt !== null) throw undoneAlready(id, record.undoneAt);
  return record;
}

function undoneAlready(id: number, at?: Date): Refusal {
  return new Refusal("conflict", `Import ${id} was already undone${at ? ` on ${at.toISOString()}` : ""}.`);
}

async function makeUndoReport(sql: Sql, { id, fileName, createdAt }: ImportRecord): Promise<UndoReport> {
  const counts = { added: 0, updated: 0 };
  const changed: ChangedRow[] = [];
  for (const chunk of await listChunks(sql, id)) {
    const { added, updated } = await countOutcomes(sql, chunk);
    counts.added += added;
    counts.updated += updated;
    changed.push(...(await listChanged(sql, chunk)));
  }
  const unchanged = (wanted: "added" | "updated") =>
    counts[wanted] - changed.filter(({ outcome }) => outcome === wanted).length;
  return {
    import_id: id,
    file: fileName,
    imported_at: createdAt.toISOString(),
    dry_run: true,
    removed: unchanged("added"),
    reverted: unchanged("updated"),
    gone: changed.filter(({ url }) => url === null).length,
    kept: changed.flatMap(({ position, line, bookmarkId, url, title }) =>
      url === null || title === null ? [] : [{ position, line, bookmark_id: bookmarkId, url, title }],
    ),
    shared_with: (await listSharing(sql, id)).map((sharing) => ({
      import_id: sharing.importId,
      file: sharing.fileName,
      rows: sharing.rows,
    })),
  };
}

async function listChunks(sql: Sql, importId: number): Promise<Chunk[]> {
  const count = Math.ceil((await lastPosition(sql, importId)) / CHUNK_SIZE);
  return Array.from({ length: count }, (_, index) => {
    const start = index * CHUNK_SIZE + 1;
    return { importId, start, end: start + CHUNK_SIZE };
  });
}

/** @returns how many bookmarks it changed */
async function revert(writer: BookmarkWriter, sql: Sql, chunk: Chunk): Promise<number> {
  const deleted = await writer.deleteMany(await listAdded(sql, chunk));
  const updated = await listUpdated(sql, chunk);
  const reverted = await writer.updateMany(updated);
  await moveRecordedVersions(sql, updated, 2);
  return deleted.size + reverted.size;
}

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

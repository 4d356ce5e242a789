import { pages } from "../../batches.ts";
import {
  type BookmarkFields,
  type BookmarkVersion,
  type BookmarkWriter,
  changeBookmarks,
  writeBookmarks,
} from "../../bookmarks/bookmark-writer.ts";
import { moveRecordedVersions } from "../../bookmarks/undo-bookmarks.ts";
import { deleteCopiesById, deleteCopiesOf } from "../../copies/copy-changes.ts";
import type { Database, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { Refusal } from "../../errors.ts";
import { marksChanged } from "../../marks/mark-changes.ts";
import { deleteMarks } from "../../marks/mark-store.ts";
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

/**
 * Undoes an import in one transaction: added bookmarks are removed, updated ones restored. Bookmarks that were changed
 * since, and those that the import skipped, stay as they are.
 *
 * @throws Refusal as {@link Database.write} does; `not_found`; `conflict` if it was undone before, or if
 *   a bookmark was changed during the undo
 */
export async function undoImport(database: Database, id: number, now: Date): Promise<UndoReport> {
  return writeBookmarks(database, now, async (writer, sql) => {
    const report = await undoWith(writer, sql, id, now);
    await deleteTexts(sql, id, report.kept, now);
    await takeMarksBack(sql, id, report.kept);
    return report;
  });
}

/** Deletes the copies that an import has made of texts, also those of links that it had not added, but for links that are kept. */
async function deleteTexts(sql: Sql, importId: number, kept: UndoReport["kept"], now: Date): Promise<void> {
  const stay = new Set(kept.map(({ bookmark_id }) => bookmark_id));
  const after = (last?: CopyOfText) => sql<CopyOfText>`
    select r.position, c.id, c.bookmark_id from import_rows r join copies c on c.id = r.record_id
    where r.import_id = ${importId} and r.kind = 'copy' and r.outcome = 'added' and r.position > ${Number(last?.position ?? 0)}
    order by r.position limit ${COPIES_AT_ONCE}`;
  for await (const rows of pages(after)) {
    const ids = rows.filter(({ bookmark_id }) => !stay.has(Number(bookmark_id))).map(({ id }) => Number(id));
    await deleteCopiesById(sql, ids, now);
  }
}

/** Deletes the marks that an import has made, but for those that have changed since, and those of links that are kept. */
async function takeMarksBack(sql: Sql, importId: number, kept: UndoReport["kept"]): Promise<void> {
  const stay = new Set(kept.map(({ bookmark_id }) => bookmark_id));
  const after = (last?: CopyOfText) => sql<CopyOfText>`
    select r.position, m.id, m.bookmark_id from import_rows r
      join marks m on m.id = r.record_id and m.version = r.record_version
    where r.import_id = ${importId} and r.kind = 'mark' and r.outcome = 'added' and r.position > ${Number(last?.position ?? 0)}
    order by r.position limit ${COPIES_AT_ONCE}`;
  for await (const rows of pages(after)) {
    const gone = rows.filter(({ bookmark_id }) => !stay.has(Number(bookmark_id)));
    if (gone.length === 0) continue;
    await deleteMarks(sql, fragment`id in ${gone.map(({ id }) => Number(id))}`);
    await marksChanged(sql, [...new Set(gone.map(({ bookmark_id }) => Number(bookmark_id)))]);
  }
}

interface CopyOfText {
  readonly position: number;
  readonly id: number;
  readonly bookmark_id: number;
}

const COPIES_AT_ONCE = 500;

/** {@link undoImport} within a transaction that undoes more than bookmarks. */
export function undoImportWithin(sql: Sql, id: number, now: Date): Promise<UndoReport> {
  return changeBookmarks(sql, now, (writer) => undoWith(writer, sql, id, now));
}

async function undoWith(writer: BookmarkWriter, sql: Sql, id: number, now: Date): Promise<UndoReport> {
  const record = await findUndoableImport(sql, id);
  if (!(await markUndone(sql, id, now))) throw undoneAlready(id);
  return undo(sql, record, { writer, now });
}

/** A dry run of {@link undoImport}; changes nothing. @throws Refusal as it does */
export async function previewUndo(read: Sql, id: number): Promise<UndoReport> {
  return undo(read, await findUndoableImport(read, id), undefined);
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

/** Changes bookmarks, and what goes with them. */
interface Writing {
  readonly writer: BookmarkWriter;
  readonly now: Date;
}

/** @param writing none in a dry run */
async function undo(
  sql: Sql,
  { id, fileName, createdAt }: ImportRecord,
  writing: Writing | undefined,
): Promise<UndoReport> {
  // Before they are removed.
  const sharing = await listSharing(sql, id);
  const unchanged = { added: 0, updated: 0 };
  const kept: UndoReport["kept"][number][] = [];
  let gone = 0;
  for await (const rows of changedBookmarks(sql, id)) {
    const reverted = rows.filter(({ current }) => current?.isSame);
    for (const { outcome } of reverted) unchanged[outcome]++;
    for (const { position, line, id: bookmark_id, current } of rows)
      if (current === undefined) gone++;
      else if (!current.isSame)
        kept.push({ position, line, bookmark_id, url: current.url, title: current.title });
    if (writing !== undefined) await revert(sql, writing, reverted);
  }
  return {
    import_id: id,
    file: fileName,
    imported_at: createdAt.toISOString(),
    dry_run: writing === undefined,
    removed: unchanged.added,
    reverted: unchanged.updated,
    gone,
    kept,
    shared_with: sharing,
  };
}

async function revert(sql: Sql, { writer, now }: Writing, rows: readonly ChangedBookmark[]): Promise<void> {
  const deleted = await writer.deleteMany(rows.filter(({ outcome }) => outcome === "added"));
  await deleteCopiesOf(sql, [...deleted], now);
  const updates = rows.flatMap(({ id, version, before }) => (before ? [{ id, version, ...before }] : []));
  const updated = await writer.updateMany(updates);
  if (deleted.size + updated.size !== rows.length)
    throw new Refusal("conflict", "A bookmark was changed in the meantime; nothing was undone. Try again.");
  await moveRecordedVersions(sql, updates, 2);
}

/** Marks an import as undone; false if it is already undone, also by a concurrent transaction. */
export async function markUndone(sql: Sql, id: number, now: Date): Promise<boolean> {
  const rows =
    await sql`update imports set undone_at = ${now} where id = ${id} and undone_at is null returning id`;
  return rows.length > 0;
}

/** The position of the last row, or text of a page, that an import has recorded. */
export async function lastPosition(sql: Sql, importId: number): Promise<number> {
  const [row] = await sql<{ last: number | null }>`
    select max(position) as last from import_rows where import_id = ${importId}`;
  return Number(row?.last ?? 0);
}

/** A row that added or updated a bookmark. */
interface ChangedBookmark extends BookmarkVersion {
  readonly position: number;
  readonly line: number;
  readonly outcome: "added" | "updated";
  /** An updated one as it was before. */
  readonly before: BookmarkFields | undefined;
  /** As it is now, and whether it is as the import has left it, with no marks but those; undefined when it was deleted. */
  readonly current: (Pick<BookmarkFields, "url" | "title"> & { readonly isSame: boolean }) | undefined;
}

interface StoredRow extends Pick<ChangedBookmark, "position" | "line" | "outcome"> {
  readonly record_id: number;
  readonly record_version: number;
  readonly before: string | null;
  readonly url: string;
  readonly title: string;
  /** Null when the bookmark was deleted. */
  readonly version: number | null;
  /** Whether an added one has marks that are not those of the import. */
  readonly is_marked: number | boolean;
}

const ROWS_AT_ONCE = 5_000;

/** The bookmarks that an import added and updated, in the order of its file, in batches. */
async function* changedBookmarks(sql: Sql, importId: number): AsyncGenerator<ChangedBookmark[]> {
  const after = (last?: StoredRow) => sql<StoredRow>`
    select r.position, r.line, r.outcome, r.record_id, r.record_version, r.before, b.url, b.title, b.version,
      r.outcome = 'added' and exists (
        select 1 from marks m where m.bookmark_id = b.id and not exists (
          select 1 from import_rows i where i.record_id = m.id and i.import_id = r.import_id and i.kind = 'mark'
            and i.record_version = m.version)) as is_marked
    from import_rows r left join bookmarks b on b.id = r.record_id
    where r.import_id = ${importId} and r.kind = 'bookmark' and r.outcome in ('added', 'updated')
      and r.position > ${Number(last?.position ?? 0)}
    order by r.position limit ${ROWS_AT_ONCE}`;
  for await (const rows of pages(after))
    yield rows.map(({ position, line, outcome, before, url, title, version, ...row }) => {
      const recorded = Number(row.record_version);
      const isSame = Number(version) === recorded && !row.is_marked;
      return {
        ...{ position, line, outcome, id: Number(row.record_id), version: recorded },
        before: before === null ? undefined : JSON.parse(before),
        current: version === null ? undefined : { url, title, isSame },
      };
    });
}

/** Imports (not undone) that skipped unchanged bookmarks of an import. */
async function listSharing(sql: Sql, importId: number): Promise<UndoReport["shared_with"]> {
  const rows = await sql<{ id: number; file_name: string; n: number }>`
    select i.id, i.file_name, count(*) as n
    from import_rows r
      join bookmarks b on b.id = r.record_id and b.version = r.record_version
      join import_rows s on s.record_id = r.record_id and s.kind = 'bookmark' and s.outcome = 'skipped'
        and s.import_id <> r.import_id
      join imports i on i.id = s.import_id and i.undone_at is null
    where r.import_id = ${importId} and r.kind = 'bookmark' and r.outcome = 'added'
    group by i.id, i.file_name order by i.id`;
  return rows.map(({ id, file_name, n }) => ({ import_id: Number(id), file: file_name, rows: Number(n) }));
}

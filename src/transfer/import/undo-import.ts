import type { Awaitable } from "../../awaitable.ts";
import { type BookmarkWriter, changeBookmarks, writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import { moveRecordedVersions } from "../../bookmarks/recorded-versions.ts";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { findImport, type ImportRecord } from "./recorded-imports.ts";
import {
  type ChangedRow,
  type Chunk,
  countOutcomes,
  lastPosition,
  listAdded,
  listChanged,
  listSharing,
  listUpdated,
  markUndone,
} from "./undo-store.ts";

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

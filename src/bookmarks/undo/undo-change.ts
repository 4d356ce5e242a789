import { setImmediate } from "node:timers/promises";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { hasAnyState, storeStates } from "../bookmark-states.ts";
import { type BookmarkWriter, writeBookmarks } from "../bookmark-writer.ts";
import { moveRecordedVersions } from "../recorded-versions.ts";
import { findWholeBookmarks, type WholeBookmark } from "../search/whole-bookmark.ts";
import { restoreTagRows } from "../tags/tag-rows.ts";
import {
  addUndoRows,
  findUndoRecord,
  hasUndoRows,
  markUndone,
  takeUndoRows,
  type UndoRecord,
  type UndoRow,
  undoRowsAfter,
} from "./undo-records.ts";

/** How many bookmarks one transaction reverts, so that other writes never wait long. */
const BATCH = 500;

/** The result of an undo. */
export interface Undone {
  /** The number of restored bookmarks. */
  readonly changed: number;
  /** Bookmarks that have changed since and are left unchanged. */
  readonly kept: readonly { readonly id: number; readonly title: string; readonly url: string }[];
  /** Changed bookmarks that were deleted since. */
  readonly gone: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Reverts a change in batches of 500, each in a transaction of its own: bookmarks that it changed are as they
 * were before, in a new version, and those that it deleted are back under their own ids. An interrupted undo
 * continues where it stopped. Bookmarks that have changed since stay in the record: the change can be undone for
 * them once their later changes are undone.
 *
 * @throws Refusal `not_found` if the change does not exist or has expired; `conflict` if it was undone before
 */
export async function undoChange(database: Database, key: string, now: Date): Promise<Undone> {
  const record = await standingRecord(database.read, key, now);
  const undone = { changed: 0, kept: [] as Undone["kept"][number][], gone: 0 };
  let after: number | undefined = 0;
  while (after !== undefined) {
    const batch: UndoRow[] = await undoRowsAfter(database.read, record.id, after, BATCH);
    after = batch.at(-1)?.bookmarkId;
    if (batch.length === 0) continue;
    const ids = batch.map(({ bookmarkId }) => bookmarkId);
    const part = await writeBookmarks(database, now, async (writer, sql) => {
      const rows = await takeUndoRows(sql, record.id, ids);
      const reverted = await revertRows(writer, sql, rows, now);
      const kept = new Set(reverted.kept.map(({ id }) => id));
      await addUndoRows(
        sql,
        record.id,
        rows.filter(({ bookmarkId, outcome }) => outcome === "updated" && kept.has(bookmarkId)),
      );
      return reverted;
    });
    undone.changed += part.changed;
    undone.kept.push(...part.kept);
    undone.gone += part.gone;
  }
  await database.write(async (sql) => {
    const isComplete = !(await hasUndoRows(sql, record.id));
    if (isComplete && !(await markUndone(sql, record.id, now))) throw undoneAlready();
    if (isComplete || undone.changed > 0) await restoreTagRows(sql, record.details.tags ?? []);
  });
  return undone;
}

/** The id of a bookmark that a change was about; undefined if the change does not exist or has expired. */
export async function firstChanged(read: Sql, key: string, now: Date): Promise<number | undefined> {
  const record = await findUndoRecord(read, key, now);
  const [row] = record === undefined ? [] : await undoRowsAfter(read, record.id, 0, 1);
  return row?.bookmarkId;
}

/** What {@link undoChange} would do now; changes nothing. @throws Refusal as it does */
export async function previewUndoChange(read: Sql, key: string, now: Date): Promise<Undone> {
  const record = await standingRecord(read, key, now);
  const undone = { changed: 0, kept: [] as Undone["kept"][number][], gone: 0 };
  let after: number | undefined = 0;
  while (after !== undefined) {
    const batch: UndoRow[] = await undoRowsAfter(read, record.id, after, BATCH);
    after = batch.at(-1)?.bookmarkId;
    const there = await bookmarksOf(read, batch);
    for (const row of batch) {
      const bookmark = there.get(row.bookmarkId);
      if (isUnchanged(row, bookmark)) undone.changed++;
      else if (bookmark !== undefined) undone.kept.push(nameOf(bookmark));
      else undone.gone++;
    }
    await setImmediate();
  }
  return undone;
}

/** Applies undo rows to bookmarks that have not changed since. */
export async function revertRows(
  writer: BookmarkWriter,
  sql: Sql,
  rows: readonly UndoRow[],
  now: Date,
): Promise<Undone> {
  const undone: Mutable<Undone> & { kept: Undone["kept"][number][] } = { changed: 0, kept: [], gone: 0 };
  const there = await bookmarksOf(sql, rows);
  const reverts = rows.flatMap((row) => {
    const bookmark = there.get(row.bookmarkId);
    if (row.outcome !== "updated" || bookmark === undefined || !isUnchanged(row, bookmark)) return [];
    return [{ ...bookmark, ...row.before }];
  });
  const restores = rows.flatMap((row) =>
    row.outcome === "deleted" && !there.has(row.bookmarkId) ? [toDeleted(row)] : [],
  );
  const reverted = await writer.updateMany(reverts);
  await writer.restoreMany(restores);
  const marked = restores.filter(({ states }) => hasAnyState(states));
  if (marked.length > 0) await storeStates(sql, marked, now);
  await moveRecordedVersions(
    sql,
    reverts.filter(({ id }) => reverted.has(id)),
    2,
  );
  await moveRecordedVersions(
    sql,
    restores.map(({ id, version }) => ({ id, version: version + 1 })),
    1,
  );
  undone.changed = reverted.size + restores.length;
  const done = new Set([...reverted, ...restores.map(({ id }) => id)]);
  for (const { bookmarkId } of rows) {
    if (done.has(bookmarkId)) continue;
    const bookmark = there.get(bookmarkId);
    if (bookmark === undefined) undone.gone++;
    else undone.kept.push(nameOf(bookmark));
  }
  return undone;
}

async function standingRecord(sql: Sql, key: string, now: Date): Promise<UndoRecord> {
  const record = await findUndoRecord(sql, key, now);
  if (record === undefined) throw noSuchChange();
  if (record.undoneAt !== null) throw undoneAlready();
  return record;
}

/** The refusal of a change that does not exist, or has expired. */
export function noSuchChange(): Refusal {
  return new Refusal("not_found", "There is no such change to undo; changes can be undone for 30 days.");
}

/** The change was undone before. */
export function undoneAlready(): Refusal {
  return new Refusal("conflict", "This change was already undone.");
}

async function bookmarksOf(sql: Sql, rows: readonly UndoRow[]): Promise<Map<number, WholeBookmark>> {
  if (rows.length === 0) return new Map();
  const bookmarks = await findWholeBookmarks(
    sql,
    rows.map(({ bookmarkId }) => bookmarkId),
  );
  return new Map(bookmarks.map((bookmark) => [bookmark.id, bookmark]));
}

function isUnchanged(row: UndoRow, bookmark: WholeBookmark | undefined): boolean {
  return row.outcome === "deleted" ? bookmark === undefined : bookmark?.version === row.version;
}

function toDeleted({ bookmarkId, version, before }: Extract<UndoRow, { outcome: "deleted" }>) {
  const { title, url, description, created_at, created_by, states } = before;
  return {
    ...{ id: bookmarkId, version, title, url, description, states },
    createdAt: new Date(created_at),
    createdBy: created_by,
  };
}

function nameOf({ id, title, url }: WholeBookmark): Undone["kept"][number] {
  return { id, title, url };
}

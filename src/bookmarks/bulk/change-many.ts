import { setImmediate } from "node:timers/promises";
import { inBatches } from "../../batches.ts";
import {
  addChangeRows,
  type ChangeAuthor,
  type ChangeDescription,
  type ChangeRow,
  continueChange,
  type StartedChange,
  startChange,
} from "../../changes/change-store.ts";
import type { Database, Sql } from "../../database/database.ts";
import type { BookmarkStates } from "../../records/bookmark-members.ts";
import type { Bookmark } from "../bookmark.ts";
import { changeStatesOf } from "../bookmark-states.ts";
import { findBookmark, findBookmarks } from "../bookmark-store.ts";
import {
  type BookmarkFields,
  type BookmarkWriter,
  changeBookmarks,
  hasFields,
  writeBookmarks,
} from "../bookmark-writer.ts";
import { detailsOf } from "../recorded-bookmarks.ts";
import { deleteRow, statesRow, updateRow } from "../undo-bookmarks.ts";

/** How many bookmarks one transaction changes, so that other writes never wait long. */
const BATCH = 500;

/** The new state of a bookmark; undefined leaves it unchanged. */
export type Change = (bookmark: Bookmark) => Partial<BookmarkFields> | "delete" | undefined;

export interface ManyChanged {
  /** How many of the bookmarks were changed or deleted. */
  readonly changed: number;
  /** The key that undoes the change; null when nothing was changed. */
  readonly undo: string | null;
}

/** What is done to many bookmarks, for its record. */
export interface ManyChange extends Omit<ChangeDescription, "record"> {
  /**
   * Whether it is recorded even if nothing changes: for a caller who may not read, so that the record does not tell what
   * the bookmarks have.
   */
  readonly evenIfNothing?: boolean;
}

/**
 * Changes bookmarks in batches of 500, each in its own transaction together with its record: an interrupted
 * change can be undone as far as it went. Deleted bookmarks are left out.
 *
 * @param first more work in the transaction of the first batch that changes anything
 */
export async function changeMany(
  database: Database,
  ids: readonly number[],
  { evenIfNothing = false, ...description }: ManyChange,
  change: Change,
  now: Date,
  first?: (sql: Sql) => Promise<void>,
): Promise<ManyChanged> {
  const changed = await inRecordedBatches(ids, (batch, started) =>
    writeBookmarks(database, now, async (writer, sql) => {
      const rows = await changeBatch(writer, sql, batch, change, description);
      if (rows.length === 0) return { rows, record: started };
      if (started === undefined) await first?.(sql);
      const record = await continueChange(sql, started, { ...description, record: "bookmark" }, now);
      await addChangeRows(sql, record.id, rows);
      return { rows, record };
    }),
  );
  if (changed.undo !== null || !evenIfNothing) return changed;
  const { key } = await database.write(async (sql) => {
    await first?.(sql);
    return startChange(sql, { ...description, record: "bookmark" }, now);
  });
  return { changed: 0, undo: key };
}

/** As {@link changeMany}, in the transaction of the caller, for few bookmarks. */
export function changeIn(
  sql: Sql,
  ids: readonly number[],
  { evenIfNothing = false, ...description }: ManyChange,
  change: Change,
  now: Date,
): Promise<ManyChanged> {
  return changeBookmarks(sql, now, async (writer) => {
    const rows = await changeBatch(writer, sql, ids, change, description);
    if (rows.length === 0 && !evenIfNothing) return { changed: 0, undo: null };
    const record = await startChange(sql, { ...description, record: "bookmark" }, now);
    await addChangeRows(sql, record.id, rows);
    return { changed: rows.length, undo: record.key };
  });
}

/**
 * Changes states of bookmarks in batches of 500, each in its own transaction together with its record, as
 * {@link changeMany} changes their contents.
 *
 * @param before more work in the transaction of each batch, before it changes anything
 */
export async function changeStatesOfMany(
  database: Database,
  ids: readonly number[],
  states: Partial<BookmarkStates>,
  by: ChangeAuthor,
  now: Date,
  before?: (sql: Sql, batch: readonly number[]) => Promise<void>,
): Promise<ManyChanged> {
  const byAgent = by.tokenId === undefined ? undefined : now;
  const [only] = byAgent && ids.length === 1 ? ids : [];
  const one = only === undefined ? undefined : await findBookmark(database.read, only);
  const details = { ...(one && detailsOf(one)), matched: ids.length, states };
  const description = { record: "bookmark", kind: "bulk", details, ...by } as const;
  return inRecordedBatches(ids, (batch, started) =>
    database.write(async (sql) => {
      await before?.(sql, batch);
      const rows = (await changeStatesOf(sql, batch, states, now)).map((one) =>
        statesRow(one, states, byAgent),
      );
      if (rows.length === 0) return { rows, record: started };
      const record = await continueChange(sql, started, description, now);
      await addChangeRows(sql, record.id, rows);
      return { rows, record };
    }),
  );
}

/** Makes one recorded change of all batches. @param change changes a batch, and adds to the record that has begun, if any */
async function inRecordedBatches(
  ids: readonly number[],
  change: (
    batch: readonly number[],
    started: StartedChange | undefined,
  ) => Promise<{ readonly rows: readonly ChangeRow[]; readonly record: StartedChange | undefined }>,
): Promise<ManyChanged> {
  let started: StartedChange | undefined;
  let changed = 0;
  for (const batch of inBatches(ids, BATCH)) {
    const { rows, record } = await change(batch, started);
    started = record;
    changed += rows.length;
  }
  return { changed, undo: started?.key ?? null };
}

/** Removes bookmarks; they can be restored for 30 days. @param first as of {@link changeMany} */
export function removeBookmarks(
  database: Database,
  ids: readonly number[],
  accountId: number | undefined,
  now: Date,
  first?: (sql: Sql) => Promise<void>,
): Promise<ManyChanged> {
  const description = { kind: "remove", details: { bookmarks: ids.length }, accountId } as const;
  return changeMany(database, ids, description, () => "delete", now, first);
}

/** How many bookmarks {@link changeMany} would change now. */
export async function previewChange(read: Sql, ids: readonly number[], change: Change): Promise<number> {
  let changed = 0;
  for (const batch of inBatches(ids, BATCH)) {
    const bookmarks = await findBookmarks(read, batch);
    changed += [...bookmarks.values()].filter((bookmark) => isChange(bookmark, change(bookmark))).length;
    await setImmediate();
  }
  return changed;
}

/** Changes bookmarks in a transaction. @returns what it did to each changed bookmark, to be undone */
export async function changeBatch(
  writer: BookmarkWriter,
  sql: Sql,
  ids: readonly number[],
  change: Change,
  { tokenId }: Pick<ChangeAuthor, "tokenId"> = {},
): Promise<ChangeRow[]> {
  const rows: ChangeRow[] = [];
  let remaining = ids;
  // Again for bookmarks that were changed between reading and writing.
  while (remaining.length > 0) {
    const bookmarks = await findBookmarks(sql, remaining);
    const changes = [...bookmarks.values()].map((bookmark) => ({ bookmark, becomes: change(bookmark) }));
    const updates = changes.flatMap(({ bookmark, becomes }) =>
      becomes === "delete" || !isChange(bookmark, becomes)
        ? []
        : [{ before: bookmark, after: becomes ?? {} }],
    );
    const deletes = changes.flatMap(({ bookmark, becomes }) => (becomes === "delete" ? [bookmark] : []));
    const updated = await writer.updateMany(updates.map(({ before, after }) => ({ ...before, ...after })));
    const deleted = await writer.deleteMany(deletes);
    rows.push(
      ...updates.flatMap(({ before, after }) =>
        updated.has(before.id) ? [updateRow(before, after, tokenId === undefined ? undefined : before)] : [],
      ),
      ...deletes.flatMap((bookmark) => (deleted.has(bookmark.id) ? [deleteRow(bookmark)] : [])),
    );
    const done = new Set([...updated, ...deleted]);
    remaining = [...updates.map(({ before }) => before.id), ...deletes.map(({ id }) => id)].filter(
      (id) => !done.has(id),
    );
  }
  return rows;
}

/** Whether anything would change. */
export function isChange(bookmark: Bookmark, becomes: ReturnType<Change>): boolean {
  if (becomes === undefined || becomes === "delete") return becomes === "delete";
  return !hasFields(bookmark, becomes);
}

import type { Database, Instant, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { writeBookmarks } from "../bookmark-writer.ts";
import { inBatches } from "../bulk/batches.ts";
import { changeMany, type ManyChanged } from "../bulk/change-many.ts";
import { revertRows, type Undone } from "./undo-change.ts";
import { type DeletedContents, expiryBefore, takeUndoRows } from "./undo-records.ts";

const BATCH = 500;

/** A removed bookmark that can be restored. */
export interface RemovedBookmark {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly removedAt: Date;
  /** The key that undoes the whole change that removed it. */
  readonly undo: string;
}

/** The end of a page of removed bookmarks. */
export interface RemovedPosition {
  readonly removedAt: Date;
  readonly id: number;
}

/** Removes bookmarks; they can be restored for 30 days. */
export function removeBookmarks(
  database: Database,
  ids: readonly number[],
  accountId: number | undefined,
  now: Date,
): Promise<ManyChanged> {
  const description = { kind: "remove", details: { bookmarks: ids.length }, accountId } as const;
  return changeMany(database, ids, description, () => "delete", now);
}

interface Row {
  readonly bookmark_id: number;
  readonly before: string;
  readonly created_at: Instant;
  readonly key: string;
}

/** At most `limit` removed bookmarks, those removed last first (then by id, descending). */
export async function listRemoved(
  sql: Sql,
  now: Date,
  limit: number,
  after?: RemovedPosition,
): Promise<RemovedBookmark[]> {
  const where = after
    ? fragment`and (undo_records.created_at, bookmark_id) < (${after.removedAt}, ${after.id})`
    : fragment``;
  const rows = await sql<Row>`
    select bookmark_id, before, undo_records.created_at, key
    from undo_rows join undo_records on undo_records.id = record_id
    where outcome = 'deleted' and undone_at is null and undo_records.created_at > ${expiryBefore(now)} ${where}
    order by undo_records.created_at desc, bookmark_id desc limit ${limit}`;
  return rows.map(({ bookmark_id, before, created_at, key }) => {
    const { title, url, description, created_at: createdAt } = JSON.parse(before) as DeletedContents;
    return {
      ...{ id: Number(bookmark_id), title, url, description, undo: key },
      createdAt: new Date(createdAt),
      removedAt: new Date(created_at),
    };
  });
}

/** Restores removed bookmarks under their own ids, in batches. @returns the number of restored ones */
export async function restoreBookmarks(
  database: Database,
  ids: readonly number[],
  now: Date,
): Promise<Pick<Undone, "changed">> {
  let changed = 0;
  for (const batch of inBatches([...new Set(ids)], BATCH))
    changed += await writeBookmarks(database, now, async (writer, sql) => {
      const rows = await sql<{ record_id: number; bookmark_id: number }>`
        select record_id, bookmark_id from undo_rows join undo_records on undo_records.id = record_id
        where bookmark_id in ${batch} and outcome = 'deleted' and undone_at is null
          and undo_records.created_at > ${expiryBefore(now)}`;
      let back = 0;
      for (const [recordId, ofRecord] of Map.groupBy(rows, (row) => Number(row.record_id))) {
        const taken = await takeUndoRows(
          sql,
          recordId,
          ofRecord.map((row) => Number(row.bookmark_id)),
        );
        back += (await revertRows(writer, sql, taken, now)).changed;
      }
      return back;
    });
  return { changed };
}

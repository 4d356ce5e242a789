import { inBatches } from "../batches.ts";
import { countChange } from "../bookmarks/bookmark-store.ts";
import { goneBookmarks, type MovedRows, moveRows, moveRowsBack } from "../bookmarks/parts-of-bookmarks.ts";
import { type Sql, withoutResult } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import { writeTexts } from "../search/index/entries.ts";
import { deleteUnusedBlobs, lockCopies } from "./copy-blobs.ts";
import { indexedCopies } from "./search/indexed-copies.ts";

/** How many copies one statement deletes. */
const AT_ONCE = 100;

/** All that is kept of the pages of bookmarks. */
const HOLDERS = fragment`
  select bookmark_id from copies union select bookmark_id from reading union select bookmark_id from copy_failures`;

/**
 * What follows when bookmarks get or lose copies, in the same transaction.
 * @param bookmarkIds those whose copies are others now, or whose reader has chosen another one
 */
export function copiesChanged(sql: Sql, bookmarkIds: readonly number[]): Promise<void> {
  return writeTexts(sql, indexedCopies, bookmarkIds);
}

/**
 * Deletes all copies of bookmarks for good, what is known of their reading, and the bytes that no other copy has.
 * @returns how many copies there were
 */
export async function deleteCopiesOf(sql: Sql, bookmarkIds: readonly number[], now: Date): Promise<number> {
  let deleted = 0;
  for (const ids of inBatches(bookmarkIds, AT_ONCE)) {
    await withoutResult(sql)`delete from reading where bookmark_id in ${ids}`;
    await withoutResult(sql)`delete from copy_failures where bookmark_id in ${ids}`;
    const rows = await sql<{ id: number }>`select id from copies where bookmark_id in ${ids}`;
    const copyIds = rows.map(({ id }) => Number(id));
    deleted += await deleteCopies(sql, copyIds, now);
    if (copyIds.length > 0) await copiesChanged(sql, ids);
  }
  return deleted;
}

/**
 * Moves copies to the bookmark that stays in a merge, also more than it takes, and how far they are read unless that one is read
 * itself.
 * @returns the details of the change, for {@link moveCopiesBack}; nothing when there are no copies
 */
export async function moveCopies(
  sql: Sql,
  to: number,
  from: readonly number[],
): Promise<{ readonly copies?: MovedRows }> {
  let copies: MovedRows = {};
  for (const ids of inBatches(from, AT_ONCE)) {
    const moved = await moveRows(sql, fragment`copies`, to, ids);
    if (Object.keys(moved).length === 0) continue;
    copies = { ...copies, ...moved };
    await sql`
      insert into reading (bookmark_id, copy_id, place, progress, begun_at, updated_at, finished)
      select ${to}, copy_id, place, progress, begun_at, updated_at, finished from reading
      where bookmark_id in ${ids} order by updated_at desc limit 1
      on conflict (bookmark_id) do nothing`;
    await copiesChanged(sql, [...ids, to]);
  }
  return Object.keys(copies).length === 0 ? {} : { copies };
}

/** Moves copies back when a merge is undone. */
export async function moveCopiesBack(sql: Sql, { copies = {}, keep = 0 }: MergeOfCopies): Promise<void> {
  const changed = await moveRowsBack(sql, fragment`copies`, copies, keep);
  if (changed.length > 0) await copiesChanged(sql, changed);
}

/** The details of a merge that has moved copies. */
interface MergeOfCopies {
  readonly copies?: MovedRows;
  readonly keep?: number;
}

/** Deletes the copies of at most `limit` bookmarks that are gone and cannot come back. @returns of how many bookmarks */
export async function purgeCopies(sql: Sql, now: Date, limit: number): Promise<number> {
  const ids = await goneBookmarks(sql, HOLDERS, limit);
  await deleteCopiesOf(sql, ids, now);
  return ids.length;
}

/** Deletes copies for good, whatever bookmarks they are of. @returns how many were there */
export async function deleteCopiesById(sql: Sql, ids: readonly number[], now: Date): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await sql<{ bookmark_id: number }>`select distinct bookmark_id from copies where id in ${ids}`;
  const deleted = await deleteCopies(sql, ids, now);
  await sql`update reading set copy_id = null, place = 0, progress = 0 where copy_id in ${ids}`;
  const bookmarkIds = rows.map(({ bookmark_id }) => Number(bookmark_id));
  if (deleted > 0) {
    await copiesChanged(sql, bookmarkIds);
    await countChange(sql, deleted, 0);
  }
  return deleted;
}

/** Deletes one copy for good. @returns whether it was there */
export async function deleteCopy(
  sql: Sql,
  { bookmarkId, copyId }: { readonly bookmarkId: number; readonly copyId: number },
  now: Date,
): Promise<boolean> {
  const [found] = await sql`select id from copies where id = ${copyId} and bookmark_id = ${bookmarkId}`;
  if (found === undefined || (await deleteCopies(sql, [copyId], now)) === 0) return false;
  await sql`
    update reading set copy_id = null, place = 0, progress = 0
    where bookmark_id = ${bookmarkId} and copy_id = ${copyId}`;
  await copiesChanged(sql, [bookmarkId]);
  await countChange(sql, 1, 0);
  return true;
}

async function deleteCopies(sql: Sql, copyIds: readonly number[], now: Date): Promise<number> {
  if (copyIds.length === 0) return 0;
  await lockCopies(sql);
  let deleted = 0;
  for (const ids of inBatches(copyIds, AT_ONCE)) {
    const parts = await sql<{ sha256: string }>`
      select distinct sha256 from copy_parts where copy_id in ${ids}`;
    deleted += (await sql`delete from copies where id in ${ids} returning id`).length;
    await deleteUnusedBlobs(
      sql,
      parts.map(({ sha256 }) => sha256),
      now,
    );
  }
  return deleted;
}

import { type Awaitable, thenSync } from "../awaitable.ts";
import { addToCounter, lockCounter, sumOfCounter } from "../database/counters.ts";
import type { Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { Bookmark } from "./bookmark.ts";
import {
  type BookmarkRow,
  bookmarkColumns,
  bookmarkOf,
  type ListedBookmark,
  type ListedRow,
} from "./bookmark-row.ts";

/** The counter that grows with every change of the collection: the version that list ETags are made of. */
const CHANGES = "bookmarks:changes";
/** The counter of existing bookmarks. */
const TOTAL = "bookmarks:total";

/** A list position, newest first: later items were created earlier, or at the same time with a smaller id. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: number;
}

/** @param id may exceed the safe integers; then there is no such bookmark */
export async function findBookmark(sql: Sql, id: number | bigint): Promise<Bookmark | undefined> {
  if (typeof id === "bigint") return undefined;
  const [row] = await sql<BookmarkRow>`select ${bookmarkColumns()} from bookmarks b where b.id = ${id}`;
  return row && bookmarkOf(row);
}

/**
 * At most `limit` bookmarks, newest first (created_at, then id), after a list position if one is given.
 * @param longest a description of more bytes of UTF-8 is left out; its length is known without reading it
 */
export async function listBookmarks(
  sql: Sql,
  limit: number,
  after?: ListPosition,
  longest = Number.MAX_SAFE_INTEGER,
): Promise<ListedBookmark[]> {
  const where = after ? fragment`where (b.created_at, b.id) < (${after.createdAt}, ${after.id})` : fragment``;
  const rows = await sql<ListedRow>`
    select ${bookmarkColumns(longest)} from bookmarks b ${where}
    order by b.created_at desc, b.id desc limit ${limit}`;
  return rows.map((row) => bookmarkOf(row));
}

/** The same for a list in another order, by ids; deleted bookmarks are left out. */
export async function listBookmarksById(
  sql: Sql,
  ids: readonly number[],
  longest: number,
): Promise<ListedBookmark[]> {
  if (ids.length === 0) return [];
  const rows = await sql<ListedRow>`
    select ${bookmarkColumns(longest)} from bookmarks b where b.id in ${ids}`;
  const found = new Map(rows.map((row) => bookmarkOf(row)).map((bookmark) => [bookmark.id, bookmark]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Bookmarks by their ids, in the order of the ids; deleted ones are left out. */
export async function findBookmarks(sql: Sql, ids: readonly number[]): Promise<Map<number, Bookmark>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<BookmarkRow>`
    select ${bookmarkColumns()} from bookmarks b where b.id in ${ids} order by b.id`;
  return new Map(rows.map((row) => [Number(row.id), bookmarkOf(row)]));
}

/**
 * Holds bookmarks until the transaction ends: a change of nothing, for which others wait who change or delete them, or add something
 * to them.
 */
export async function holdBookmarks(sql: Sql, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await sql`update bookmarks set version = version where id in ${ids}`;
}

/**
 * Counts changes of the collection, in the transaction that makes them and as its last step.
 * @param added by how many bookmarks the collection has grown; negative when it has shrunk
 */
export function countChange(sql: Sql, changes: number, added: number): Awaitable<void> {
  return added === 0
    ? addToCounter(sql, CHANGES, changes)
    : thenSync(addToCounter(sql, CHANGES, changes), () => addToCounter(sql, TOTAL, added));
}

/** Locks the collection until the transaction ends. */
export function lockCollection(sql: Sql): Promise<void> {
  return lockCounter(sql, CHANGES);
}

/** The version of the collection: different after any change of any bookmark. */
export function collectionVersion(sql: Sql): Promise<number> {
  return sumOfCounter(sql, CHANGES);
}

/** The exact number of bookmarks and the version of the collection, read by one statement. */
export async function collectionState(sql: Sql): Promise<{ count: number; version: number }> {
  const [row] = await sql<{ count: number; version: number }>`
    select coalesce(sum(n) filter (where name = ${TOTAL}), 0) as count,
      coalesce(sum(n) filter (where name = ${CHANGES}), 0) as version
    from counters where name in (${TOTAL}, ${CHANGES})`;
  return { count: Number(row?.count), version: Number(row?.version) };
}

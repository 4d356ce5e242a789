import type { Sql } from "../database/database.ts";
import type { Fragment } from "../database/fragment.ts";

/** The bookmarks that rows belonged to before they were moved, by the ids of the rows. */
export type MovedRows = Readonly<Record<string, number>>;

/** What of each kind of parts, such as `copies`, a merge has moved; kinds of which there was none are absent. */
export type MovedParts = Readonly<Record<string, MovedRows>>;

/** The parts that one bookmark has lost to that which stays. */
export type MergedParts = { readonly keep: number } & Readonly<Record<string, MovedRows | number>>;

/**
 * Moves the rows of a table, such as `copies`, to the bookmark that stays in a merge.
 * @returns what moved, for {@link moveRowsBack}
 */
export async function moveRows(
  sql: Sql,
  table: Fragment,
  to: number,
  from: readonly number[],
): Promise<MovedRows> {
  const rows = await sql<{ id: number; bookmark_id: number }>`
    select id, bookmark_id from ${table} where bookmark_id in ${from}`;
  if (rows.length > 0) await sql`update ${table} set bookmark_id = ${to} where bookmark_id in ${from}`;
  return Object.fromEntries(rows.map(({ id, bookmark_id }) => [String(id), Number(bookmark_id)]));
}

/**
 * Moves rows back when a merge is undone: those that are still there, to the bookmarks that are back.
 * @param keep the bookmark that stayed
 * @returns the bookmarks whose rows are others now
 */
export async function moveRowsBack(
  sql: Sql,
  table: Fragment,
  moved: MovedRows,
  keep: number,
): Promise<number[]> {
  const byBookmark = Map.groupBy(Object.keys(moved), (id) => moved[id] ?? 0);
  if (byBookmark.size === 0) return [];
  const there = await sql<{ id: number }>`select id from bookmarks where id in ${[...byBookmark.keys()]}`;
  for (const { id } of there) {
    const ids = (byBookmark.get(Number(id)) ?? []).map(Number);
    await sql`update ${table} set bookmark_id = ${Number(id)} where id in ${ids} and bookmark_id = ${keep}`;
  }
  return [keep, ...there.map(({ id }) => Number(id))];
}

/**
 * Bookmarks that are gone and cannot come back: their removal is too old to be undone.
 * @param holders a statement for the `bookmark_id` of all that is kept of bookmarks
 */
export async function goneBookmarks(sql: Sql, holders: Fragment, limit: number): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    select bookmark_id as id from (${holders}) h
    where not exists (select 1 from bookmarks where bookmarks.id = h.bookmark_id)
      and not exists (
        select 1 from change_rows r
        where r.record = ${"bookmark"} and r.record_id = h.bookmark_id and r.outcome = ${"deleted"})
    limit ${limit}`;
  return rows.map(({ id }) => Number(id));
}

import type { Sql } from "../../database/database.ts";
import { isAtOrBelow } from "../../tags/tag-name.ts";
import { collectionState } from "../bookmark-store.ts";

/**
 * The ids of all bookmarks that may have a tag or one below it, ascending: those that the search index lists, and
 * those whose current state is not indexed yet. No confirmed write is missing.
 */
export async function mayHaveTag(read: Sql, key: string): Promise<number[]> {
  // Pending records first: once they are indexed, the second statement finds them.
  const pending = await read<{ id: number }>`
    select distinct record_id as id from search_pending where collection = 'bookmarks'`;
  // "0" is the character after "/".
  const tagged = await read<{ id: number; tag_key: string }>`
    select record_id as id, tag_key from search_bookmarks_tags
    where tag_key = ${key} or (tag_key >= ${`${key}/`} and tag_key < ${`${key}0`})`;
  const ids = new Set(pending.map(({ id }) => Number(id)));
  for (const { id, tag_key } of tagged) if (isAtOrBelow(tag_key, key)) ids.add(Number(id));
  for (const id of await notIndexed(read, ids.size)) ids.add(id);
  return [...ids].toSorted((a, b) => a - b);
}

/** Bookmarks without an index entry, for example during a rebuild. */
async function notIndexed(read: Sql, pending: number): Promise<number[]> {
  const [row] = await read<{ n: number }>`select count(*) as n from search_bookmarks`;
  const { count } = await collectionState(read);
  if (Number(row?.n) + pending >= count) return [];
  const rows = await read<{ id: number }>`
    select id from bookmarks where not exists (select 1 from search_bookmarks e where e.id = bookmarks.id)`;
  return rows.map(({ id }) => Number(id));
}

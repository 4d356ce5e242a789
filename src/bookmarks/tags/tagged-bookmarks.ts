import type { Sql } from "../../database/database.ts";
import { isAtOrBelow } from "../../tags/tag-name.ts";

/**
 * The ids of all bookmarks that may have a tag or one below it, ascending: those that the search index lists, and after an
 * upgrade those whose tags it does not know yet. No confirmed write is missing.
 */
export async function mayHaveTag(read: Sql, key: string): Promise<number[]> {
  // Waiting ones first: once they are indexed, the second statement finds them. An entry without a page has no tags yet.
  const waiting = await read<{ id: number }>`select id from search_bookmarks where version = 0 and page = ''`;
  // "0" is the character after "/".
  const tagged = await read<{ id: number; tag_key: string }>`
    select record_id as id, tag_key from search_bookmarks_tags
    where tag_key = ${key} or (tag_key >= ${`${key}/`} and tag_key < ${`${key}0`})`;
  const ids = new Set(waiting.map(({ id }) => Number(id)));
  for (const { id, tag_key } of tagged) if (isAtOrBelow(tag_key, key)) ids.add(Number(id));
  return [...ids].toSorted((a, b) => a - b);
}

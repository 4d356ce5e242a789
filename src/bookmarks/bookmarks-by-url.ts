import type { Sql } from "../database/database.ts";
import { rowList } from "../database/fragment.ts";
import type { BookmarkFields, BookmarkVersion } from "./bookmark-writer.ts";

/** A bookmark that exists before an import. */
export type ExistingBookmark = BookmarkVersion & BookmarkFields;

/**
 * The oldest bookmark of each URL, in text form. Each call reads the whole collection, since URLs are not indexed: look
 * up many at once.
 */
export async function findBookmarksByUrl(
  sql: Sql,
  urls: readonly string[],
): Promise<Map<string, ExistingBookmark>> {
  const kept = new Map<string, ExistingBookmark>();
  for (const row of await search(sql, urls)) {
    const found = { ...row, id: Number(row.id), version: Number(row.version) };
    const oldest = kept.get(found.url);
    if (oldest === undefined || found.id < oldest.id) kept.set(found.url, found);
  }
  return kept;
}

/** Whether there are any bookmarks at all. */
export async function hasBookmarks(sql: Sql): Promise<boolean> {
  return (await sql`select 1 as one from bookmarks limit 1`).length > 0;
}

async function search(sql: Sql, urls: readonly string[]): Promise<ExistingBookmark[]> {
  return sql<ExistingBookmark>`
    with wanted (url) as (values ${rowList(urls.map((url) => [url]))})
    select id, version, title, url, description from bookmarks where url in (select url from wanted)`;
}

import { createHash } from "node:crypto";
import type { Sql } from "../database/database.ts";
import { rowList } from "../database/fragment.ts";
import type { BookmarkFields, BookmarkVersion } from "./bookmark-writer.ts";

/** A bookmark that exists before an import. */
export interface ExistingBookmark extends BookmarkVersion {
  /** Of its title and description: see {@link digestOf}. */
  readonly digest: string;
  /** Its fields, for the undo of an import; a plan needs none. */
  readonly fields?: BookmarkFields;
}

/** The number of URLs looked up at a time: each lookup reads the whole collection. */
export const URLS_AT_ONCE = 20_000;

/** The oldest bookmarks of some URLs, by URL. */
export type FindExisting = (urls: readonly string[]) => Promise<ReadonlyMap<string, ExistingBookmark>>;

/** What shows whether an existing bookmark has the title and description of a row. */
export function digestOf({ title, description }: Pick<BookmarkFields, "title" | "description">): string {
  return createHash("sha256")
    .update(JSON.stringify([title, description]))
    .digest("base64url");
}

/**
 * The oldest bookmark of each URL, in text form. Each call reads the whole collection, since URLs are not indexed: look
 * up many at once.
 */
export async function findBookmarksByUrl(
  sql: Sql,
  urls: readonly string[],
): Promise<Map<string, ExistingBookmark>> {
  const kept = new Map<string, ExistingBookmark>();
  const rows = await sql<BookmarkVersion & BookmarkFields>`
    with wanted (url) as (values ${rowList(urls.map((url) => [url]))})
    select id, version, title, url, description from bookmarks where url in (select url from wanted)`;
  for (const { id, version, ...fields } of rows) {
    const found = { id: Number(id), version: Number(version), digest: digestOf(fields), fields };
    const oldest = kept.get(fields.url);
    if (oldest === undefined || found.id < oldest.id) kept.set(fields.url, found);
  }
  return kept;
}

/** Whether there are any bookmarks at all. */
export async function hasBookmarks(sql: Sql): Promise<boolean> {
  return (await sql`select 1 as one from bookmarks limit 1`).length > 0;
}

/** Looks bookmarks up in a database. */
export function existingIn(sql: Sql): FindExisting {
  return async (urls) => ((await hasBookmarks(sql)) ? findBookmarksByUrl(sql, urls) : new Map());
}

import type { Sql } from "../database/database.ts";
import { notFound } from "../errors.ts";

/** Title and URL of a bookmark, which stays until the end of the transaction. */
export async function heldBookmark(sql: Sql, bookmarkId: number): Promise<{ title: string; url: string }> {
  // A change of nothing: whoever deletes the bookmark waits for what is added to it, and then deletes that, too.
  const [held] = await sql<{ title: string; url: string }>`
    update bookmarks set version = version where id = ${bookmarkId} returning title, url`;
  if (held === undefined) throw notFound("Bookmark", bookmarkId);
  return held;
}

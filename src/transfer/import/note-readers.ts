import { areNotesShared } from "../../accounts/keys.ts";
import type { Config } from "../../config/config.ts";
import type { Sql } from "../../database/database.ts";
import { readSite } from "../../web/site/site-store.ts";

/** Whether others may read notes: as BOOKMARKS_ACCESS says, or else as the owner has chosen, or in a shared list. */
export async function areNotesOpen(
  sql: Sql,
  bookmarksAccess: Config["bookmarksAccess"],
  now: Date,
): Promise<boolean> {
  const access = bookmarksAccess === "auto" ? (await readSite(sql)).bookmarksAccess : bookmarksAccess;
  return access === "open" || access === "read" || areNotesShared(sql, now);
}

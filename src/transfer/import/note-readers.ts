import { areNotesShared } from "../../accounts/keys.ts";
import type { Sql } from "../../database/database.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import { readSite } from "../../web/site/site-store.ts";

/** The setting BOOKMARKS_ACCESS: `auto` leaves the choice to the owner. */
export type BookmarksSetting = NonNullable<SiteSettings["bookmarksAccess"]> | "auto";

/** Whether others may read notes: as BOOKMARKS_ACCESS says, or else as the owner has chosen, or in a shared list. */
export async function areNotesOpen(sql: Sql, bookmarksAccess: BookmarksSetting, now: Date): Promise<boolean> {
  const access = bookmarksAccess === "auto" ? (await readSite(sql)).bookmarksAccess : bookmarksAccess;
  return access === "open" || access === "read" || areNotesShared(sql, now);
}

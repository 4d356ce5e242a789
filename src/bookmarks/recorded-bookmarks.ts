import type { Awaitable } from "../awaitable.ts";
import { addChangeRows, type ChangeAuthor, startChange } from "../changes/change-store.ts";
import { retryOnConflict } from "../database/compare-and-set.ts";
import type { Database, Sql } from "../database/database.ts";
import { orNotFound } from "../errors.ts";
import { NO_STATES } from "../records/bookmark-members.ts";
import type { Bookmark, BookmarkCreate } from "./bookmark.ts";
import { findBookmark } from "./bookmark-store.ts";
import { type BookmarkFields, changeBookmarks, hasFields, writeBookmarks } from "./bookmark-writer.ts";
import { addRow, updateRow } from "./undo-bookmarks.ts";

/** A bookmark as it is after a recorded change. Many at once: `bulk/change-many.ts`. */
export interface RecordedBookmark {
  readonly bookmark: Bookmark;
  /** The key that undoes the change; null when nothing was changed. */
  readonly undo: string | null;
}

/**
 * Adds a bookmark in the caller's transaction; undoing it removes it, unless somebody else has changed or used it since. The caller
 * says whether a copy of its page is to be kept.
 */
export function addRecorded(
  sql: Sql,
  { unread = false, ...fields }: BookmarkCreate & { readonly unread?: boolean | undefined },
  by: ChangeAuthor,
  now: Date,
): Promise<RecordedBookmark> {
  return changeBookmarks(sql, now, async (writer) => {
    const bookmark = await writer.insert({ ...fields, states: { ...NO_STATES, unread } }, by.accountId);
    const change = { record: "bookmark", kind: "create", details: detailsOf(bookmark), ...by } as const;
    const { id, key } = await startChange(sql, change, now);
    await addChangeRows(sql, id, [addRow(bookmark)]);
    return { bookmark, undo: key };
  });
}

/**
 * Changes a bookmark; nothing is recorded where it has the fields already.
 * @param fieldsOf in the transaction; may be called again when the bookmark was changed in the meantime
 * @param then more work in the transaction, after a change
 * @throws Refusal `not_found`
 */
export function editRecorded(
  database: Database,
  id: number,
  fieldsOf: (bookmark: Bookmark, sql: Sql) => Awaitable<Partial<BookmarkFields>>,
  by: ChangeAuthor,
  now = database.clock.now(),
  then?: (sql: Sql) => Promise<void>,
): Promise<RecordedBookmark> {
  return writeBookmarks(database, now, (writer, sql) =>
    retryOnConflict(async () => {
      const before = orNotFound(await findBookmark(sql, id), "Bookmark", id);
      const fields = await fieldsOf(before, sql);
      if (hasFields(before, fields)) return { bookmark: before, undo: null };
      const bookmark = { ...before, ...fields, updatedAt: now };
      const version = await writer.update(before, bookmark);
      if (version === undefined) return undefined;
      await then?.(sql);
      const change = { record: "bookmark", kind: "update", details: detailsOf(bookmark), ...by } as const;
      const { id: changeId, key } = await startChange(sql, change, now);
      const byAgent = by.tokenId === undefined ? undefined : before;
      await addChangeRows(sql, changeId, [updateRow(before, fields, byAgent)]);
      return { bookmark: { ...bookmark, version }, undo: key };
    }),
  );
}

/** The details by which lists of changes name the bookmark. */
export function detailsOf({ id, title, url }: Pick<Bookmark, "id" | "title" | "url">) {
  return { id, title, url };
}

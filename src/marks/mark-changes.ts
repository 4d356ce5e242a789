import { inBatches } from "../batches.ts";
import { countChange } from "../bookmarks/bookmark-store.ts";
import { goneBookmarks, type MovedRows, moveRows, moveRowsBack } from "../bookmarks/parts-of-bookmarks.ts";
import { lockCopies } from "../copies/copy-blobs.ts";
import { copiesChanged } from "../copies/copy-changes.ts";
import { heldBookmark } from "../copies/held-bookmark.ts";
import { type Sql, withoutResult } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import { orNotFound, Refusal } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Mark, Quote } from "./mark.ts";
import { addMark, countMarksOf, deleteMarks, findMark, newMark } from "./mark-store.ts";

/** In the record of a change of a mark, the row that names its bookmark. */
export const MARKED_BOOKMARK = "marked bookmark";

/** Of how many bookmarks one statement deletes the marks. */
const AT_ONCE = 100;

/**
 * Adds a mark to a bookmark, with all that follows.
 * @param accountId who made it
 * @throws Refusal `not_found`; `conflict` when the bookmark has as many marks as it takes
 */
export async function keepMark(
  sql: Sql,
  quote: Quote,
  about: { readonly bookmarkId: number; readonly note: string; readonly accountId: number | undefined },
  now: Date,
): Promise<Mark> {
  await heldBookmark(sql, about.bookmarkId);
  if ((await countMarksOf(sql, about.bookmarkId)) >= limits().marksPerBookmark) throw tooManyMarks();
  const mark = await addMark(sql, newMark(quote, about, now));
  await marksChanged(sql, [about.bookmarkId]);
  return mark;
}

/** A mark that nobody else changes until the end of the transaction. @throws Refusal `not_found`, also while its bookmark is removed */
export async function heldMark(
  sql: Sql,
  bookmarkId: number | bigint,
  markId: number | bigint,
): Promise<Mark> {
  if (typeof bookmarkId !== "bigint") await heldBookmark(sql, bookmarkId);
  return orNotFound(await findMark(sql, bookmarkId, markId), "Mark", markId);
}

/** Deletes a held mark for good, with what could be undone of it. */
export async function deleteMark(sql: Sql, { id, bookmarkId }: Mark): Promise<void> {
  await forgetChanges(
    sql,
    fragment`select change_id from change_rows where record = 'mark' and record_id = ${id}`,
  );
  await deleteMarks(sql, fragment`id = ${id}`);
  await marksChanged(sql, [bookmarkId]);
}

/** Deletes all marks of deleted bookmarks for good, with what could be undone of them. */
export async function deleteMarksOf(sql: Sql, bookmarkIds: readonly number[]): Promise<void> {
  for (const ids of inBatches(bookmarkIds, AT_ONCE)) {
    await forgetChanges(
      sql,
      fragment`
        select change_id from change_rows where record = ${MARKED_BOOKMARK} and record_id in ${ids}
        union all
        select change_id from change_rows
        where record = 'mark' and record_id in (select id from marks where bookmark_id in ${ids})`,
    );
    await withoutResult(sql)`delete from marks where bookmark_id in ${ids}`;
  }
}

/** @param ids a statement for those of the changes */
async function forgetChanges(sql: Sql, ids: Fragment): Promise<void> {
  await withoutResult(sql)`delete from changes where record = 'mark' and id in (${ids})`;
}

/**
 * Moves marks to the bookmark that stays in a merge, also more than it takes.
 * @returns the details of the change, for {@link moveMarksBack}; nothing when there are no marks
 */
export async function moveMarks(
  sql: Sql,
  to: number,
  from: readonly number[],
): Promise<{ readonly marks?: MovedRows }> {
  const marks = await moveRows(sql, fragment`marks`, to, from);
  if (Object.keys(marks).length === 0) return {};
  await marksChanged(sql, [...from, to]);
  return { marks };
}

/** Moves marks back when a merge is undone. @param details of the merge */
export async function moveMarksBack(
  sql: Sql,
  { marks = {}, keep = 0 }: { readonly marks?: MovedRows; readonly keep?: number },
): Promise<void> {
  const changed = await moveRowsBack(sql, fragment`marks`, marks, keep);
  if (changed.length > 0) await marksChanged(sql, changed);
}

/** Deletes the marks of at most `limit` bookmarks that are gone and cannot come back. @returns of how many bookmarks */
export async function purgeMarks(sql: Sql, _: Date, limit: number): Promise<number> {
  const ids = await goneBookmarks(sql, fragment`select distinct bookmark_id from marks`, limit);
  await deleteMarksOf(sql, ids);
  return ids.length;
}

/**
 * What follows when bookmarks get or lose marks, or a note of one changes, in the same transaction: their words are searched, and
 * lists of links may be others.
 */
export async function marksChanged(sql: Sql, bookmarkIds: readonly number[]): Promise<void> {
  await lockCopies(sql);
  await copiesChanged(sql, bookmarkIds);
  await countChange(sql, 1, 0);
}

/** 409 for a bookmark that has as many marks as it takes. */
export function tooManyMarks(): Refusal {
  return new Refusal(
    "conflict",
    `A bookmark takes ${limits().marksPerBookmark} marks, and this one has as many: remove one first.`,
  );
}

import { countChange } from "../bookmarks/bookmark-store.ts";
import { lockCopies } from "../copies/copy-blobs.ts";
import { copiesChanged } from "../copies/copy-changes.ts";
import { heldBookmark } from "../copies/held-bookmark.ts";
import type { Sql } from "../database/database.ts";
import { Refusal } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Mark, Quote } from "./mark.ts";
import { addMark, countMarksOf, newMark } from "./mark-store.ts";

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

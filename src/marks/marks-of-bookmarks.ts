import type { CopiesOfBookmarks } from "../bookmarks/bookmark-parts.ts";
import { deleteMarksOf, moveMarks } from "./mark-changes.ts";

/** What bookmarks know of the copies of their pages; the marks in them go where these go. */
export function withMarks(copies: CopiesOfBookmarks): CopiesOfBookmarks {
  return {
    ...copies,
    async forget(sql, bookmarks, now) {
      await copies.forget(sql, bookmarks, now);
      await deleteMarksOf(
        sql,
        bookmarks.map(({ id }) => id),
      );
    },
    move: async (sql, to, from) => ({
      ...(await copies.move(sql, to, from)),
      ...(await moveMarks(sql, to, from)),
    }),
  };
}

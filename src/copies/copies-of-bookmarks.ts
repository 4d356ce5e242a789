import type { CopiesOfBookmarks } from "../bookmarks/bookmark-parts.ts";
import { deleteCopiesOf, moveCopies } from "./copy-changes.ts";
import type { CopyParts } from "./copy-parts.ts";
import { deletePicturesOf, readPictures } from "./page-pictures/page-picture-store.ts";
import { eachTextOfCopies } from "./search/indexed-copies.ts";

/** What bookmarks know of the copies of their pages. */
export function copiesOfBookmarks({
  store,
  readAccess,
  fetching,
}: Pick<CopyParts, "store" | "readAccess" | "fetching">): CopiesOfBookmarks {
  return {
    readAccess,
    pictures: (sql, bookmarkIds) => readPictures(sql, bookmarkIds, "all"),
    eachText: eachTextOfCopies,
    // Only accounts make the server fetch, also where anybody may add links.
    onAdded: (sql, bookmarkId, accountId) =>
      accountId === undefined ? undefined : fetching?.requestAdded(sql, bookmarkId, accountId),
    async forget(sql, bookmarks, now) {
      await deleteCopiesOf(
        sql,
        bookmarks.map(({ id }) => id),
        now,
      );
      await deletePicturesOf(sql, bookmarks, now);
    },
    move: moveCopies,
    async newest(sql, bookmarkIds) {
      const summaries = await store.summaries(sql, bookmarkIds);
      return new Map(
        [...summaries].map(([id, { takenAt, ...copy }]) => [
          id,
          { ...copy, taken_at: takenAt.toISOString() },
        ]),
      );
    },
  };
}

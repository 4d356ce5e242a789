import type { CopiesOfBookmarks } from "../bookmarks/bookmark-parts.ts";
import { deleteCopiesOf, moveCopies } from "./copy-changes.ts";
import type { CopyParts } from "./copy-parts.ts";
import { eachTextOfCopies } from "./search/indexed-copies.ts";

/** What bookmarks know of the copies of their pages. */
export function copiesOfBookmarks({
  store,
  readAccess,
}: Pick<CopyParts, "store" | "readAccess">): CopiesOfBookmarks {
  return {
    readAccess,
    eachText: eachTextOfCopies,
    forget: deleteCopiesOf,
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

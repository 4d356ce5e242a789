import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { refuseSharedCopies } from "../../bookmarks/search/inside-copies.ts";
import { NOT_ARCHIVED } from "../../bookmarks/shares/share.ts";
import { withSiteDays } from "../../posts/publication/site-days.ts";
import { parseQuery } from "../../search/query/parser.ts";
import type { MatchCount, SearchRequest } from "../../search/search.ts";
import type { SearchPosition } from "../../search/search-position.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntries, type LibraryBookmark } from "../library-store.ts";

export interface SharedEntries {
  readonly entries: readonly LibraryBookmark[];
  /** The start of the next page; undefined on the last page. */
  readonly next: SearchPosition | undefined;
  readonly count: MatchCount;
}

/**
 * What the search of a shared list finds now, newest first.
 * @param timeZone whose days, months and years the search means
 * @throws QueryError
 */
export async function findSharedEntries(
  { database, search }: Pick<LibraryParts, "database" | "search">,
  query: string,
  timeZone: string,
  { limit, after }: Pick<SearchRequest, "limit" | "after">,
): Promise<SharedEntries> {
  const parsed = parseQuery(query, withSiteDays(indexedBookmarks.vocabulary, timeZone));
  refuseSharedCopies(parsed);
  const request = {
    query: parsed,
    visible: NOT_ARCHIVED,
    sort: "newest",
    limit,
    after,
  } as const;
  const { page, count } = await search.pageAndCount(request);
  const found = await findEntries(database.readMany, page.ids);
  // One may have been archived since it was found.
  return { entries: found.filter(({ archived }) => !archived), next: page.next, count };
}

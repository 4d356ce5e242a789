import { findIdOfPage } from "../../bookmarks/search/bookmark-of-url.ts";
import { parseWebUrl } from "../../records/bookmark-members.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntry, type LibraryBookmark } from "../library-store.ts";

/**
 * The existing bookmark of a page: the newest one with exactly its URL, or else the newest of the same page.
 * @param typed an address; may be invalid
 */
export async function findSavedPage(
  { database, search }: Pick<LibraryParts, "database" | "search">,
  typed: string,
): Promise<LibraryBookmark | undefined> {
  const parsed = parseWebUrl(typed);
  if (!("href" in parsed)) return undefined;
  const id = await search.apart((sql) => findIdOfPage(sql, parsed.href));
  return id === undefined ? undefined : findEntry(database.read, id);
}

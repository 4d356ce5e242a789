import { parseWebUrl } from "../../bookmarks/bookmark.ts";
import { pageHash } from "../../search/text/urls.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntries, type LibraryBookmark } from "../library-store.ts";

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
  const ids = await search.samePage(pageHash(parsed.href));
  const entries = await findEntries(database.read, ids);
  return entries.find(({ url }) => url === parsed.href) ?? entries[0];
}

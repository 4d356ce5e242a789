import { parseWebUrl } from "../../records/bookmark-members.ts";
import { urlParts } from "../../search/text/urls.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { countTagsOf } from "./count-tags-of.ts";

/** The number of newest bookmarks of a site that are considered. */
const LOOKED_AT = 200;
const SUGGESTIONS = 6;

/** Tags that bookmarks of the same site have, the most frequent first. @param typed an address; may be invalid */
export async function suggestTags(
  { database, search }: Pick<BookmarkParts, "database" | "search">,
  typed: string,
): Promise<string[]> {
  const parsed = parseWebUrl(typed);
  if (!("href" in parsed)) return [];
  const { host } = urlParts(parsed.href);
  const { ids } = await search.page({
    query: { root: { type: "site", host } },
    sort: "newest",
    limit: LOOKED_AT,
  });
  return (await countTagsOf(database.read, ids, SUGGESTIONS)).map(({ name }) => name);
}

import { withScheme } from "../../bookmarks/bookmark.ts";
import { parseWebUrl } from "../../records/bookmark-members.ts";

/** The address of a page that somebody typed into a search, perhaps without its scheme; undefined for words. */
export function typedAddress(q: string): string | undefined {
  const typed = q.trim();
  // Without a scheme, `node.js` is a word, and `example.org/page` an address.
  if (!/^(?:https?:\/\/|www\.[^\s.]+\.|[^\s/:@]+\.[a-z]{2,}\/)\S*$/i.test(typed)) return undefined;
  const parsed = parseWebUrl(withScheme(typed));
  return "href" in parsed ? parsed.href : undefined;
}

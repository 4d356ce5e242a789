import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { instantOf } from "../../posts/publication/zoned-time.ts";
import type { Vocabulary } from "../../search/query/atoms.ts";

/**
 * The vocabulary of the searches of pages: days, months and years are those of the site, like the headings of a list.
 * Those of the API, and of feeds and shared lists, are of UTC.
 */
export function pageVocabulary(timeZone: string): Vocabulary {
  const { vocabulary } = indexedBookmarks;
  return timeZone === "UTC" ? vocabulary : { ...vocabulary, beginOfDay: (utc) => beginOfDay(utc, timeZone) };
}

/** When the day that an instant in UTC begins, begins in a time zone. */
function beginOfDay(utc: Date, timeZone: string): Date {
  const [year, month, day] = [utc.getUTCFullYear(), utc.getUTCMonth() + 1, utc.getUTCDate()];
  // Nothing is older than 1970.
  return year < 1970 ? utc : instantOf({ year, month, day }, timeZone);
}

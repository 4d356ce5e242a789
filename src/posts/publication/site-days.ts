import type { Vocabulary } from "../../search/query/atoms.ts";
import { instantOf } from "../../zoned-time.ts";

/**
 * The vocabulary of the searches of pages, feeds and shared lists: days, months and years are those of the site, like the
 * headings of a list. Those of the APIs are of UTC.
 */
export function withSiteDays(vocabulary: Vocabulary, timeZone: string): Vocabulary {
  return timeZone === "UTC" ? vocabulary : { ...vocabulary, beginOfDay: (utc) => beginOfDay(utc, timeZone) };
}

/** When the day that an instant in UTC begins, begins in a time zone. */
export function beginOfDay(utc: Date, timeZone: string): Date {
  const [year, month, day] = [utc.getUTCFullYear(), utc.getUTCMonth() + 1, utc.getUTCDate()];
  // Nothing is older than 1970.
  return year < 1970 ? utc : instantOf({ year, month, day }, timeZone);
}

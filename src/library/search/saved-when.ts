import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { withSiteDays } from "../../posts/publication/site-days.ts";
import { parseTypedQuery } from "../../search/query/parser.ts";
import type { ParsedQuery } from "../../search/query/query.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { DateFormatter, localeOf } from "../../web/date-formatter.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { LibraryParts } from "../library-parts.ts";
import type { LibraryCall } from "../library-query.ts";
import type { QueryPart } from "./query-parts.ts";
import { type DateSearch, findSpokenDate } from "./spoken-date.ts";

/** What was saved when a search says. */
export interface SavedWhen {
  /** The search with a filter by the date instead of its words. */
  readonly q: string;
  readonly query: ParsedQuery;
  /** The time and the number of links. */
  readonly text: string;
}

/**
 * What was saved when the search says, or else in that month; undefined when the search says no date, or nothing was saved
 * then.
 */
export async function savedWhen(
  { database, search }: Pick<LibraryParts, "database" | "search">,
  { messages, dates, site }: LibraryCall,
  parts: readonly QueryPart[],
  inside: boolean,
): Promise<SavedWhen | undefined> {
  const spoken = findSpokenDate(parts, dates.isoDay(database.clock.now()));
  for (const time of [spoken, spoken?.month]) {
    const query = time && parsed(time.q, dates.timeZone);
    if (time === undefined || query === undefined) continue;
    const { matches, more } = await search.count({ query, inside });
    if (matches === 0) continue;
    return {
      q: time.q,
      query,
      text: messages.library.find.saved(whenOf(time, site, messages), matches, more),
    };
  }
  return undefined;
}

/** A search of the greatest length, or of the most words, has no room for a date. */
function parsed(q: string, timeZone: string): ParsedQuery | undefined {
  try {
    return parseTypedQuery(q, withSiteDays(indexedBookmarks.vocabulary, timeZone));
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

/** Some days in words, such as “in March 2024”. */
export function whenOf(
  { first, last }: Pick<DateSearch, "first" | "last">,
  site: LibraryCall["site"],
  messages: Messages,
): string {
  const labels = messages.library.find.when;
  const dates = datesOfDays(site);
  const [from, to] = [new Date(first), new Date(last)];
  const year = first.slice(0, 4);
  if (first === last) return labels.on(dates.shortDay(from));
  if (`${first} ${last}` === `${year}-01-01 ${year}-12-31`) return labels.in(year);
  const isMonth = first.endsWith("-01") && first.slice(0, 7) === last.slice(0, 7);
  if (isMonth && isFirst(new Date(to.getTime() + 86_400_000)))
    return labels.in(`${dates.month(from)} ${year}`);
  return labels.from(dates.shortDay(from), dates.shortDay(to));
}

/** Formats days that have no time, given as midnight in UTC. */
export function datesOfDays(site: LibraryCall["site"]): DateFormatter {
  return new DateFormatter(localeOf(site), "UTC", site.dateStyle);
}

function isFirst(date: Date): boolean {
  return date.getUTCDate() === 1;
}

/** @jsxImportSource #jsx */
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { withSiteDays } from "../../posts/publication/site-days.ts";
import { parseQuery } from "../../search/query/parser.ts";
import type { ParsedQuery } from "../../search/query/query.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { DateFormatter, localeOf } from "../../web/date-formatter.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { LibraryParts } from "../library-parts.ts";
import type { LibraryCall } from "../library-query.ts";
import type { QueryPart } from "./query-parts.ts";
import { findSpokenDate, type SpokenDate } from "./spoken-date.ts";
import { viewUrl } from "./view-url.ts";

/**
 * A link to what was saved when the search says, with how many there are; undefined when the search says no date, or
 * nothing was saved then.
 */
export async function savedWhen(
  { database, search }: Pick<LibraryParts, "database" | "search">,
  { messages, dates, site, query }: LibraryCall,
  parts: readonly QueryPart[],
): Promise<Markup | undefined> {
  const spoken = findSpokenDate(parts, dates.isoDay(database.clock.now()));
  if (spoken === undefined) return undefined;
  const filtered = parsed(spoken.q, dates.timeZone);
  if (filtered === undefined) return undefined;
  const { matches, more } = await search.count({ query: filtered });
  if (matches === 0) return undefined;
  // A day without a time.
  const utc = new DateFormatter(localeOf(site), "UTC", site.dateStyle);
  return (
    <a href={viewUrl(query, { q: spoken.q, sort: undefined, cursor: undefined })}>
      {messages.library.find.saved(whenOf(spoken, utc, messages.library.find.when), matches, more)}
    </a>
  );
}

/** A search of the greatest length, or of the most words, has no room for a date. */
function parsed(q: string, timeZone: string): ParsedQuery | undefined {
  try {
    return parseQuery(q, withSiteDays(indexedBookmarks.vocabulary, timeZone));
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

function whenOf(
  { first, last }: SpokenDate,
  dates: DateFormatter,
  labels: LibraryCall["messages"]["library"]["find"]["when"],
): string {
  const [from, to] = [new Date(first), new Date(last)];
  const year = first.slice(0, 4);
  if (first === last) return labels.on(dates.shortDay(from));
  if (`${first} ${last}` === `${year}-01-01 ${year}-12-31`) return labels.in(year);
  const isMonth = first.endsWith("-01") && first.slice(0, 7) === last.slice(0, 7);
  if (isMonth && isFirst(new Date(to.getTime() + 86_400_000)))
    return labels.in(`${dates.month(from)} ${year}`);
  return labels.from(dates.shortDay(from), dates.shortDay(to));
}

function isFirst(date: Date): boolean {
  return date.getUTCDate() === 1;
}

import type { Dates } from "../../web/dates.ts";
import type { Words } from "../../web/words/en.ts";
import type { Entry } from "../library-store.ts";

/** The bookmarks of one day. */
export interface Day {
  /** `YYYY-MM-DD`, by the site's calendar. */
  readonly iso: string;
  readonly heading: string;
  readonly entries: readonly Entry[];
}

/** Bookmarks in the order of their dates, by day. */
export function byDay(entries: readonly Entry[], dates: Dates, words: Words, now: Date): Day[] {
  const grouped = Map.groupBy(entries, ({ createdAt }) => dates.isoDay(createdAt));
  return [...grouped].map(([iso, ofDay]) => {
    const first = ofDay[0]?.createdAt ?? now;
    return { iso, heading: headingOf(first, dates, words, now), entries: ofDay };
  });
}

function headingOf(date: Date, dates: Dates, words: Words, now: Date): string {
  const ago = dates.daysAgo(date, now);
  if (ago === 0) return words.library.today;
  if (ago === 1) return words.library.yesterday;
  return dates.isoDay(date).slice(0, 4) === dates.isoDay(now).slice(0, 4)
    ? dates.dayOfYear(date)
    : dates.shortDay(date);
}

import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { LibraryBookmark } from "../library-store.ts";

/** The bookmarks of one day, or of one week. */
export interface Day {
  /** `YYYY-MM-DD`, by the site's calendar; of a week, its Monday. */
  readonly iso: string;
  readonly heading: string;
  /** The search that finds all of them. */
  readonly q: string;
  readonly entries: readonly LibraryBookmark[];
}

/** Bookmarks in the order of their dates, by day. */
export function byDay(
  entries: readonly LibraryBookmark[],
  dates: DateFormatter,
  messages: Messages,
  now: Date,
): Day[] {
  const grouped = Map.groupBy(entries, ({ createdAt }) => dates.isoDay(createdAt));
  return [...grouped].map(([iso, ofDay]) => ({
    iso,
    heading: headingOfDay(ofDay[0]?.createdAt ?? now, dates, messages, now),
    q: `on:${iso}`,
    entries: ofDay,
  }));
}

/** The name of the day of an instant. */
export function headingOfDay(instant: Date, dates: DateFormatter, messages: Messages, now: Date): string {
  const [iso, today] = [dates.isoDay(instant), dates.isoDay(now)];
  const daysAgo = (Date.parse(today) - Date.parse(iso)) / DAY;
  if (daysAgo === 0) return messages.library.today;
  if (daysAgo === 1) return messages.library.yesterday;
  return iso.slice(0, 4) === today.slice(0, 4) ? dates.dayAndMonth(instant) : dates.shortDay(instant);
}

/** Bookmarks in the order of their dates, by week (ISO 8601: from Monday to Sunday). */
export function byWeek(
  entries: readonly LibraryBookmark[],
  dates: DateFormatter,
  messages: Messages,
  now: Date,
): Day[] {
  const { thisWeek, lastWeek } = messages.library;
  const grouped = Map.groupBy(entries, ({ createdAt }) => mondayOf(dates.isoDay(createdAt)));
  const today = dates.isoDay(now);
  return [...grouped].map(([iso, ofWeek]) => {
    const week = { iso, q: `after:${iso} before:${daysLater(iso, 7)}`, entries: ofWeek };
    if (iso === mondayOf(today)) return { ...week, heading: thisWeek };
    if (daysLater(iso, 7) === mondayOf(today)) return { ...week, heading: lastWeek };
    return { ...week, heading: dates.span(iso, daysLater(iso, 6), today) };
  });
}

const DAY = 24 * 60 * 60 * 1000;

function mondayOf(iso: string): string {
  return daysLater(iso, -((new Date(iso).getUTCDay() + 6) % 7));
}

function daysLater(iso: string, days: number): string {
  return new Date(Date.parse(iso) + days * DAY).toISOString().slice(0, 10);
}

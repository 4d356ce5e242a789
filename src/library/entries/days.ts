import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { LibraryBookmark } from "../library-store.ts";

/** The bookmarks of one day. */
export interface Day {
  /** `YYYY-MM-DD`, by the site's calendar. */
  readonly iso: string;
  readonly heading: string;
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
  const today = dates.isoDay(now);
  return [...grouped].map(([iso, ofDay]) => {
    const first = ofDay[0]?.createdAt ?? now;
    const daysAgo = (Date.parse(today) - Date.parse(iso)) / 86_400_000;
    if (daysAgo === 0) return { iso, heading: messages.library.today, entries: ofDay };
    if (daysAgo === 1) return { iso, heading: messages.library.yesterday, entries: ofDay };
    const isThisYear = iso.slice(0, 4) === today.slice(0, 4);
    return { iso, heading: isThisYear ? dates.dayAndMonth(first) : dates.shortDay(first), entries: ofDay };
  });
}

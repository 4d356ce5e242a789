import type { Instant, Sql } from "../database/database.ts";
import { beginOfDay } from "../posts/publication/site-days.ts";
import type { DateFormatter } from "../web/date-formatter.ts";

/** A month, `YYYY-MM` by the calendar of the site, with the number of bookmarks that were saved in it. */
interface Month {
  readonly month: string;
  readonly count: number;
}

/**
 * The months with bookmarks, the newest first, one after the other: each count reads its part of an index. It reads all of
 * it, so no short read should wait behind it.
 */
export async function listMonths(sql: Sql, dates: DateFormatter): Promise<Month[]> {
  const months: Month[] = [];
  const [newest] = await sql<{ time: Instant | null }>`select max(created_at) as time from bookmarks`;
  for (let time = newest?.time ?? null; time !== null; ) {
    const month = dates.isoDay(new Date(time)).slice(0, 7);
    const from = beginOfDay(new Date(`${month}-01`), dates.timeZone);
    const [row] = await sql<{ count: number; earlier: Instant | null }>`
      select count(*) as count, (select max(created_at) from bookmarks where created_at < ${from}) as earlier
      from bookmarks where created_at >= ${from} and created_at <= ${new Date(time)}`;
    months.push({ month, count: Number(row?.count) });
    time = row?.earlier ?? null;
  }
  return months;
}

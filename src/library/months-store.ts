import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import type { DateFormatter } from "../web/date-formatter.ts";

/** A month, `YYYY-MM` by the calendar of the site, with the number of bookmarks that were saved in it. */
interface Month {
  readonly month: string;
  readonly count: number;
}

/** The month in UTC. On its first and last day, to the minute: elsewhere that may be in the month beside it. */
const MONTH_OR_MINUTE: Readonly<Record<Sql["engine"], Fragment>> = {
  sqlite: fragment`case when strftime('%d', created_at / 1000, 'unixepoch') = '01'
      or strftime('%d', created_at / 1000 + 86400, 'unixepoch') = '01'
    then strftime('%Y-%m-%dT%H:%MZ', created_at / 1000, 'unixepoch')
    else strftime('%Y-%m', created_at / 1000, 'unixepoch') end`,
  postgres: fragment`case when to_char(created_at at time zone 'UTC', 'DD') = '01'
      or to_char(created_at at time zone 'UTC' + interval '1 day', 'DD') = '01'
    then to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')
    else to_char(created_at at time zone 'UTC', 'YYYY-MM') end`,
};

/** The months with bookmarks, the newest first. It reads all bookmarks, so no short read should wait behind it. */
export async function listMonths(sql: Sql, dates: DateFormatter): Promise<Month[]> {
  const rows = await sql<{ time: string; count: number }>`
    select ${MONTH_OR_MINUTE[sql.engine]} as time, count(*) as count from bookmarks group by 1`;
  const counts = new Map<string, number>();
  for (const { time, count } of rows) {
    const month = time.length === "YYYY-MM".length ? time : dates.isoDay(new Date(time)).slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + Number(count));
  }
  return [...counts]
    .map(([month, count]) => ({ month, count }))
    .sort((a, b) => b.month.localeCompare(a.month));
}

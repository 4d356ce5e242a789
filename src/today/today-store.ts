import type { Sql } from "../database/database.ts";
import { fragment, joined } from "../database/fragment.ts";
import { instantOf } from "../zoned-time.ts";

/** How many years are looked back: as long as there has been a web to save. */
const YEARS = 35;

const FEW = 10;

/** A day, from its beginning to that of the next one. */
export interface DayRange {
  readonly from: Date;
  readonly before: Date;
}

/** The same day of the years before, the last year first; years without it are left out. @param isoDay of today */
export function sameDays(isoDay: string, timeZone: string): DayRange[] {
  const [thisYear = 0, month = 1, day = 1] = isoDay.split("-").map(Number);
  return Array.from({ length: YEARS }, (_, index) => thisYear - 1 - index)
    .filter((year) => new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day)
    .map((year) => ({
      from: instantOf({ year, month, day }, timeZone),
      before: instantOf({ year, month, day: day + 1 }, timeZone),
    }));
}

/** Bookmarks that were saved on one of some days, newest first. Each day is a look-up in the index of dates. */
export async function savedOn(sql: Sql, days: readonly DayRange[], limit: number): Promise<number[]> {
  const newest = fragment`order by created_at desc, id desc limit ${limit}`;
  const ofDays = days.map(
    ({ from, before }) => fragment`
      select id, created_at from (
        select id, created_at from bookmarks where created_at >= ${from} and created_at < ${before} ${newest}) d`,
  );
  const rows = await sql<{ id: number }>`
    select id from (${joined(ofDays, fragment` union all `)}) found ${newest}`;
  return rows.map(({ id }) => Number(id));
}

/** Whether so few bookmarks are stored, archived ones included, that others may wait to be imported. */
export async function hasFewBookmarks(sql: Sql): Promise<boolean> {
  return (await sql`select 1 from bookmarks limit ${FEW}`).length < FEW;
}

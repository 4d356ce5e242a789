import type { Sql } from "../database/database.ts";

/** How long a change can be undone, in milliseconds. */
export const UNDO_PERIOD = 30 * 24 * 60 * 60 * 1000;

/** Deletes at most `limit` records of changes that can no longer be undone, their rows with them. @returns how many */
export async function purgeUndoRecords(sql: Sql, now: Date, limit: number): Promise<number> {
  const expired = new Date(now.getTime() - UNDO_PERIOD);
  const rows = await sql`
    delete from undo_records where id in (
      select id from undo_records where created_at <= ${expired} order by created_at limit ${limit}) returning id`;
  return rows.length;
}

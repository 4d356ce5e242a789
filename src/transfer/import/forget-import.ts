import type { Database, Sql } from "../../database/database.ts";

/** The number of rows deleted in a transaction: few, so that requests do not wait. */
const BATCH = 2_000;

/** How long an undone import is listed, in milliseconds: 30 days. */
const UNDONE_FOR = 30 * 24 * 60 * 60 * 1000;

/**
 * Deletes the record of an import: it can no longer be undone or shown, and exports lose the folders of its bookmarks.
 * The bookmarks stay.
 *
 * @returns whether there was such an import
 */
export async function forgetImport(database: Database, id: number, now: Date): Promise<boolean> {
  let isKnown = false;
  while ((await database.write((sql) => forgetRows(sql, id, now, BATCH))) > 0) isKnown = true;
  return isKnown;
}

/**
 * Forgets a part of an expired import.
 * @param retention how long imports are recorded, in milliseconds; without it only undone ones are forgotten
 * @returns 0 when there is none
 */
export async function purgeImports(
  sql: Sql,
  retention: number | undefined,
  now: Date,
  batch: number,
): Promise<number> {
  const before = new Date(retention === undefined ? 0 : now.getTime() - retention);
  const undoneBefore = new Date(now.getTime() - UNDONE_FOR);
  const [expired] = await sql<{ id: number }>`
    select id from imports where created_at <= ${before} or undone_at <= ${undoneBefore} order by id limit 1`;
  return expired === undefined ? 0 : forgetRows(sql, Number(expired.id), now, batch);
}

/** @returns the number of deleted rows, plus 1 for the import itself; 0 when there is none */
async function forgetRows(sql: Sql, id: number, now: Date, batch: number): Promise<number> {
  // Marked as undone from the first batch on, so that the rest cannot be undone alone.
  const found = await sql`
    update imports set undone_at = coalesce(undone_at, ${now}) where id = ${id} returning id`;
  if (found.length === 0) return 0;
  const rows = await sql`
    delete from import_rows where import_id = ${id} and position in (
      select position from import_rows where import_id = ${id} order by position limit ${batch})
    returning position`;
  const records = await sql`
    delete from import_records where import_id = ${id} and position in (
      select position from import_records where import_id = ${id} order by position limit ${batch})
    returning position`;
  if (rows.length < batch && records.length < batch) await sql`delete from imports where id = ${id}`;
  return rows.length + records.length + 1;
}

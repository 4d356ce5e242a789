import { inBatches } from "../../batches.ts";
import type { Sql } from "../../database/database.ts";
import { fragment, rowList } from "../../database/fragment.ts";
import type { Rows } from "../../database/schema/rows.ts";
import { isAtOrBelow, tagKey } from "../../tags/tag-name.ts";

/**
 * Rows of the table `tags`: ids and dates for clients that need them stable, and tags that no bookmark has. The tags
 * of a bookmark are in its description.
 */
export interface TagRow {
  readonly id: number;
  readonly key: string;
  /** Its spelling when the row was created. */
  readonly name: string;
  readonly createdAt: Date;
}

/** A row as an undo record has it. */
export interface RecordedTagRow extends Omit<TagRow, "createdAt"> {
  readonly created_at: string;
}

type Row = Rows["tags"];

const COLUMNS = fragment`id, key, name, created_at`;

const ROWS_AT_ONCE = 100;

/** Creates missing rows of tags. @param tags the names, and when they were used first */
export async function ensureTagRows(
  sql: Sql,
  tags: readonly { readonly name: string; readonly createdAt: Date }[],
): Promise<void> {
  for (const batch of inBatches(tags, ROWS_AT_ONCE)) {
    const rows = new Map(batch.map(({ name, createdAt }) => [tagKey(name), [tagKey(name), name, createdAt]]));
    await sql`
      insert into tags (key, name, created_at) values ${rowList([...rows.values()])}
      on conflict (key) do nothing`;
  }
}

/** All rows, by key. */
export async function listTagRows(sql: Sql): Promise<TagRow[]> {
  const rows = await sql<Row>`select ${COLUMNS} from tags order by key`;
  return rows.map(toTagRow);
}

/** The row with this id. */
export async function findTagRow(sql: Sql, id: number): Promise<TagRow | undefined> {
  const [row] = await sql<Row>`select ${COLUMNS} from tags where id = ${id}`;
  return row && toTagRow(row);
}

/** The rows of a tag and of those below it. */
export async function tagRowsAtOrBelow(sql: Sql, key: string): Promise<TagRow[]> {
  // "0" is the character after "/".
  const rows = await sql<Row>`
    select ${COLUMNS} from tags
    where key = ${key} or (key >= ${`${key}/`} and key < ${`${key}0`}) order by key`;
  return rows.map(toTagRow).filter((row) => isAtOrBelow(row.key, key));
}

/** Renames rows; if the new name already has a row, that row stays. */
export async function renameTagRows(
  sql: Sql,
  rows: readonly TagRow[],
  rename: (name: string) => string,
): Promise<void> {
  for (const row of rows) {
    const name = rename(row.name);
    const key = tagKey(name);
    const [other] = await sql<{ id: number }>`select id from tags where key = ${key}`;
    if (other !== undefined && Number(other.id) !== row.id) await deleteTagRows(sql, [row]);
    else await sql`update tags set key = ${key}, name = ${name} where id = ${row.id}`;
  }
}

export async function deleteTagRows(sql: Sql, rows: readonly TagRow[]): Promise<void> {
  if (rows.length > 0) await sql`delete from tags where id in ${rows.map(({ id }) => id)}`;
}

/** Gives rows their former names back. One that was deleted comes back with a new id. */
export async function restoreTagRows(sql: Sql, rows: readonly RecordedTagRow[]): Promise<void> {
  for (const { id, key, name, created_at } of rows) {
    const taken = await sql`select id from tags where key = ${key}`;
    if (taken.length > 0) continue;
    const updated = await sql`update tags set key = ${key}, name = ${name} where id = ${id} returning id`;
    if (updated.length === 0)
      await sql`insert into tags (key, name, created_at) values (${key}, ${name}, ${new Date(created_at)})`;
  }
}

function toTagRow({ id, key, name, created_at }: Row): TagRow {
  return { id: Number(id), key, name, createdAt: new Date(created_at) };
}

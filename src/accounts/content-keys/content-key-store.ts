import type { Instant, Sql } from "../../database/database.ts";
import { hasLiveMaker } from "../keys.ts";
import { type ContentKey, hashOfContentKey } from "./content-key.ts";

interface ContentKeyRow {
  readonly id: number;
  readonly account_id: number;
  readonly name: string;
  readonly created_at: Instant;
  readonly last_used_at: Instant | null;
}

/** Stores a new key of an account. @returns undefined when the account has gone, or is disabled */
export async function insertContentKey(
  sql: Sql,
  accountId: number,
  { name, key }: { readonly name: string; readonly key: string },
  now: Date,
): Promise<ContentKey | undefined> {
  const [row] = await sql<ContentKeyRow>`
    insert into content_keys (account_id, name, key_sha256, created_at)
    select id, ${name}, ${hashOfContentKey(key)}, ${now} from accounts
    where id = ${accountId} and disabled_at is null
    returning id, account_id, name, created_at, last_used_at`;
  return row && fromRow(row);
}

/** Finds a content key; undefined when it is unknown, or its maker may not read any more. */
export async function findContentKey(sql: Sql, key: string): Promise<ContentKey | undefined> {
  const [row] = await sql<ContentKeyRow>`
    select id, account_id, name, created_at, last_used_at
    from content_keys where key_sha256 = ${hashOfContentKey(key)}`;
  return row && (await hasLiveMaker(sql, row.account_id)) ? fromRow(row) : undefined;
}

/** The content keys of an account, oldest first. */
export async function listContentKeys(sql: Sql, accountId: number): Promise<ContentKey[]> {
  const rows = await sql<ContentKeyRow>`
    select id, account_id, name, created_at, last_used_at from content_keys
    where account_id = ${accountId} order by id`;
  return rows.map(fromRow);
}

/** Records the last use of a key. */
export async function touchContentKey(sql: Sql, id: number, now: Date): Promise<void> {
  await sql`update content_keys set last_used_at = ${now} where id = ${id}`;
}

/** Revokes a key, only if it belongs to the account when one is given; false when there is none. */
export async function deleteContentKey(sql: Sql, id: number, accountId?: number): Promise<boolean> {
  const rows =
    accountId === undefined
      ? await sql`delete from content_keys where id = ${id} returning id`
      : await sql`delete from content_keys where id = ${id} and account_id = ${accountId} returning id`;
  return rows.length > 0;
}

function fromRow(row: ContentKeyRow): ContentKey {
  return {
    id: Number(row.id),
    accountId: Number(row.account_id),
    name: row.name,
    createdAt: new Date(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
  };
}

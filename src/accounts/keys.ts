import type { Instant, Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import { unauthenticated } from "../http/access.ts";
import { hashOfSecret } from "./tokens/token.ts";

/** What a key opens for whoever has it. */
export type KeyKind = "website" | "library-feed" | "comment-feed" | "shared-list" | "preview";

/**
 * A key that works without signing in. Only the hash of its secret is stored. It ends with its account, and rests while
 * that is disabled. Tokens of programs are no such keys: they act for the account, as far as their scopes go.
 */
export interface Key {
  readonly id: number;
  readonly accountId: number;
  /** The name of a website, or the title of a shared list; otherwise empty. */
  readonly name: string;
  /** The search of a feed or shared list, or the key of a previewed working copy; otherwise empty. */
  readonly target: string;
  /** Of a shared list: whether it shows the notes. */
  readonly withNotes: boolean;
  readonly createdAt: Date;
  /** null: never. */
  readonly expiresAt: Date | null;
  /** Of the key of a website, accurate to the minute; null if it was never used. */
  readonly lastUsedAt: Date | null;
}

interface KeyRow {
  readonly id: number;
  readonly account_id: number;
  readonly name: string;
  readonly target: string;
  readonly with_notes: boolean | number;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  readonly last_used_at: Instant | null;
}

const COLUMNS = fragment`id, account_id, name, target, with_notes, created_at, expires_at, last_used_at`;

const isLive = (now: Date) => fragment`(expires_at is null or expires_at > ${now})`;

/**
 * Stores a new key, and removes those that have expired.
 * @throws Refusal `unauthenticated` when the account has gone, or is disabled
 */
export async function createKey(
  sql: Sql,
  kind: KeyKind,
  accountId: number,
  {
    secret,
    name = "",
    target = "",
    withNotes = false,
    expiresAt = null,
  }: { readonly secret: string } & Partial<Pick<Key, "name" | "target" | "withNotes" | "expiresAt">>,
  now: Date,
): Promise<Key> {
  await sql`delete from keys where expires_at <= ${now}`;
  const [row] = await sql<KeyRow>`
    insert into keys (kind, account_id, secret_sha256, name, target, with_notes, created_at, expires_at)
    select ${kind}, id, ${hashOfSecret(secret)}, ${name}, ${target}, ${withNotes}, ${now}, ${expiresAt} from accounts
    where id = ${accountId} and disabled_at is null
    returning ${COLUMNS}`;
  if (row === undefined) throw unauthenticated();
  return fromRow(row);
}

/** The key with a secret; undefined when there is none, it has expired, or its account is disabled. */
export async function findKey(sql: Sql, kind: KeyKind, secret: string, now: Date): Promise<Key | undefined> {
  const [row] = await sql<KeyRow>`
    select ${COLUMNS} from keys
    where secret_sha256 = ${hashOfSecret(secret)} and kind = ${kind} and ${isLive(now)}`;
  return row && (await hasLiveMaker(sql, row.account_id)) ? fromRow(row) : undefined;
}

/** The keys of an account that have not expired, the newest first. */
export async function listKeys(sql: Sql, kind: KeyKind, accountId: number, now: Date): Promise<Key[]> {
  const rows = await sql<KeyRow>`
    select ${COLUMNS} from keys where account_id = ${accountId} and kind = ${kind} and ${isLive(now)}
    order by id desc`;
  return rows.map(fromRow);
}

/** Gives a key of an account another secret. @returns undefined when there is none */
export async function renewKey(
  sql: Sql,
  kind: KeyKind,
  { id, accountId, secret }: { readonly id: number; readonly accountId: number; readonly secret: string },
  now: Date,
): Promise<Key | undefined> {
  const [row] = await sql<KeyRow>`
    update keys set secret_sha256 = ${hashOfSecret(secret)}
    where id = ${id} and kind = ${kind} and account_id = ${accountId} and ${isLive(now)}
    returning ${COLUMNS}`;
  return row && fromRow(row);
}

/** Records the last use of a key. */
export async function touchKey(sql: Sql, id: number, now: Date): Promise<void> {
  await sql`update keys set last_used_at = ${now} where id = ${id}`;
}

/**
 * Ends a key, only if it belongs to the account when one is given.
 * @param id may exceed the safe integers
 * @returns false when there is none
 */
export async function deleteKey(
  sql: Sql,
  kind: KeyKind,
  id: number | bigint,
  now: Date,
  accountId?: number,
): Promise<boolean> {
  if (typeof id === "bigint") return false;
  const ofAccount = accountId === undefined ? fragment`` : fragment`and account_id = ${accountId}`;
  const rows = await sql`
    delete from keys where id = ${id} and kind = ${kind} ${ofAccount} and ${isLive(now)} returning id`;
  return rows.length > 0;
}

/** Whether the account exists and is enabled. All accounts are equal, so an enabled one has every right. */
export async function hasLiveMaker(sql: Sql, accountId: number): Promise<boolean> {
  return (await sql`select 1 from accounts where id = ${accountId} and disabled_at is null`).length > 0;
}

/** How many keys an account has, tokens among them. */
export async function countKeys(sql: Sql, accountId: number): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select (select count(*) from tokens where account_id = ${accountId})
      + (select count(*) from keys where account_id = ${accountId}) as n`;
  return Number(row?.n);
}

/** Ends all keys of an account, but for one token. */
export async function endKeys(sql: Sql, accountId: number, keptToken = 0): Promise<void> {
  await sql`delete from tokens where account_id = ${accountId} and id <> ${keptToken}`;
  await sql`delete from keys where account_id = ${accountId}`;
}

function fromRow(row: KeyRow): Key {
  return {
    id: Number(row.id),
    accountId: Number(row.account_id),
    name: row.name,
    target: row.target,
    withNotes: Boolean(row.with_notes),
    createdAt: new Date(row.created_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
  };
}

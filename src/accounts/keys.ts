import type { Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { Rows } from "../database/schema/rows.ts";
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
  /** The token that made it, with which it ends when that is revoked; null when a person did. */
  readonly madeBy: { readonly id: number; readonly name: string } | null;
  /** null: never. */
  readonly expiresAt: Date | null;
  /** Of the key of a website, accurate to the minute; null if it was never used. */
  readonly lastUsedAt: Date | null;
}

type KeyRow = Omit<Rows["keys"], "kind" | "secret_sha256">;

const COLUMNS = fragment`
  id, account_id, name, target, with_notes, created_at, expires_at, last_used_at, token_id, token_name`;

const isLive = (now: Date) => fragment`(expires_at is null or expires_at > ${now})`;

/**
 * Stores a new key, and removes those that have expired.
 * @param wanted with the id of the token that makes it, unless a person does
 * @throws Refusal `unauthenticated` when the account has gone or is disabled, or the token has gone
 */
export async function createKey(
  sql: Sql,
  kind: KeyKind,
  accountId: number,
  wanted: { readonly secret: string; readonly tokenId?: number | undefined } & Partial<
    Pick<Key, "name" | "target" | "withNotes" | "expiresAt">
  >,
  now: Date,
): Promise<Key> {
  const { secret, name = "", target = "", withNotes = false, expiresAt = null, tokenId } = wanted;
  await sql`delete from keys where expires_at <= ${now}`;
  const tokenName = tokenId === undefined ? null : await lockToken(sql, tokenId, accountId);
  const [row] = await sql<KeyRow>`
    insert into keys (kind, account_id, secret_sha256, name, target, with_notes, created_at, expires_at, token_id,
      token_name)
    select ${kind}, id, ${hashOfSecret(secret)}, ${name}, ${target}, ${withNotes}, ${now}, ${expiresAt},
      cast(${tokenId ?? null} as bigint), cast(${tokenName} as text) from accounts
    where id = ${accountId} and disabled_at is null
    returning ${COLUMNS}`;
  if (row === undefined) throw unauthenticated();
  return fromRow(row);
}

/** Locks a token until the transaction ends, so that it is not revoked without what it makes. @returns its name */
async function lockToken(sql: Sql, id: number, accountId: number): Promise<string> {
  const [token] = await sql<{ name: string }>`
    update tokens set name = name where id = ${id} and account_id = ${accountId} returning name`;
  if (token === undefined) throw unauthenticated();
  return token.name;
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

/** What the keys of a kind open, of all accounts. */
export async function listTargets(sql: Sql, kind: KeyKind, now: Date): Promise<string[]> {
  const rows = await sql<Pick<KeyRow, "target">>`
    select distinct target from keys where kind = ${kind} and ${isLive(now)}`;
  return rows.map(({ target }) => target);
}

/** Whether a shared list of any account shows notes. */
export async function areNotesShared(sql: Sql, now: Date): Promise<boolean> {
  const rows = await sql`select 1 from keys where with_notes = ${true} and ${isLive(now)} limit 1`;
  return rows.length > 0;
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

/**
 * Revokes a token: it stops working, and so does whatever it made that works without it, also when the token itself has signed
 * out or expired before.
 *
 * @param accountId if given, only a token of this account
 * @returns false when there was neither
 */
export async function revokeToken(sql: Sql, id: number, accountId?: number): Promise<boolean> {
  const ofAccount = accountId === undefined ? fragment`` : fragment`and account_id = ${accountId}`;
  const tokens = await sql`delete from tokens where id = ${id} ${ofAccount} returning id`;
  const made = await sql`delete from keys where token_id = ${id} ${ofAccount} returning id`;
  return tokens.length + made.length > 0;
}

/** Revokes all tokens of an account, as {@link revokeToken} does. @returns how many */
export async function revokeTokens(sql: Sql, accountId: number): Promise<number> {
  const tokens = await sql`delete from tokens where account_id = ${accountId} returning id`;
  await sql`delete from keys where account_id = ${accountId} and token_id is not null`;
  return tokens.length;
}

/** The keys that a token made and that still work. */
export interface MadeByToken {
  readonly tokenId: number;
  readonly tokenName: string;
  readonly count: number;
}

/** What tokens of an account made and still works, by token, also of tokens that are gone. */
export async function listMadeByTokens(sql: Sql, accountId: number, now: Date): Promise<MadeByToken[]> {
  const rows = await sql<{ token_id: number; token_name: string; n: number }>`
    select token_id, max(token_name) as token_name, count(*) as n from keys
    where account_id = ${accountId} and token_id is not null and ${isLive(now)}
    group by token_id order by token_id desc`;
  return rows.map(({ token_id, token_name, n }) => ({
    tokenId: Number(token_id),
    tokenName: token_name,
    count: Number(n),
  }));
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
    madeBy: row.token_id === null ? null : { id: Number(row.token_id), name: row.token_name ?? "" },
    createdAt: new Date(row.created_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
  };
}

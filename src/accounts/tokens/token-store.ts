import type { Sql } from "../../database/database.ts";
import type { Stamps } from "../../database/request-stamp.ts";
import type { RowCache } from "../../database/row-cache.ts";
import type { Rows } from "../../database/schema/rows.ts";
import { type AssistantScope, assistantScopes, type Scope } from "../scope.ts";
import { isSecret, parseKey, type Token } from "./token.ts";

/** A token, its hash and its account. */
export interface TokenWithAccount {
  readonly token: Token;
  readonly secretHash: Uint8Array;
  /** The token's scopes; one set for all requests. */
  readonly scopes: ReadonlySet<Scope>;
  /** What it may do at `/mcp`, if it is an assistant's; else nothing. */
  readonly assistant: ReadonlySet<AssistantScope>;
  readonly username: string;
  readonly displayName: string;
  readonly disabled: boolean;
}

export interface NewToken {
  readonly name: string;
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  /** null: never. */
  readonly expiresAt: Date | null;
  /** The URL of the program that signed in for it. */
  readonly clientId?: string;
}

type TokenRow = Omit<Rows["tokens"], "secret_sha256">;

type TokenWithAccountRow = Rows["tokens"] &
  Pick<Rows["accounts"], "username" | "display_name" | "disabled_at">;

/** A token, expired or not; the caller verifies the key with the hash. */
export async function findToken(sql: Sql, id: number): Promise<TokenWithAccount | undefined> {
  const [row] = await sql<TokenWithAccountRow>`
    select t.id, t.account_id, t.name, t.scopes, t.created_at, t.expires_at, t.last_used_at, t.client_id,
      t.secret_sha256, a.username, a.display_name, a.disabled_at
    from tokens t join accounts a on a.id = t.account_id where t.id = ${id}`;
  if (row === undefined) return undefined;
  const token = fromRow(row);
  return {
    token,
    secretHash: Buffer.from(row.secret_sha256, "hex"),
    scopes: new Set(token.scopes),
    assistant: new Set(assistantScopes(token.scopes)),
    username: row.username,
    displayName: row.display_name ?? row.username,
    disabled: row.disabled_at !== null,
  };
}

/**
 * The token of a key, expired or not; undefined when the key is wrong.
 * @param cache of tokens by their ids
 * @param stamp of the request that is served
 */
export async function findTokenByKey(
  sql: Sql,
  key: string,
  cache?: RowCache<TokenWithAccount>,
  stamp?: Stamps,
): Promise<TokenWithAccount | undefined> {
  const parsed = parseKey(key);
  if (parsed === undefined) return undefined;
  const find = (id: number) => findToken(sql, id);
  const found = await (cache?.get(parsed.id, find, stamp) ?? find(parsed.id));
  return found !== undefined && isSecret(parsed.secret, found.secretHash) ? found : undefined;
}

/** The tokens of an account, oldest first. */
export async function listTokens(sql: Sql, accountId: number): Promise<Token[]> {
  const rows = await sql<TokenRow>`
    select id, account_id, name, scopes, created_at, expires_at, last_used_at, client_id from tokens
    where account_id = ${accountId} order by id`;
  return rows.map(fromRow);
}

/**
 * Stores a new token: of a sign-in, of `createOwnToken` (page and API), of IndieAuth or of the command.
 *
 * @param account as it was read: if it was deleted, disabled or got another password since, no token is created
 * @returns the id of the new token
 */
export async function insertToken(
  sql: Sql,
  account: { readonly id: number; readonly passwordHash: string },
  { name, secretHash, scopes, expiresAt, clientId }: NewToken,
  now: Date,
): Promise<number | undefined> {
  const [row] = await sql<{ id: number }>`
    insert into tokens (account_id, name, secret_sha256, scopes, created_at, expires_at, client_id)
    select id, ${name}, ${secretHash}, ${scopes.join(" ")}, ${now}, ${expiresAt}, ${clientId ?? null} from accounts
    where id = ${account.id} and password_hash = ${account.passwordHash} and disabled_at is null
    returning id`;
  return row && Number(row.id);
}

/** Deletes at most `limit` tokens that have expired. @returns how many */
export async function purgeTokens(sql: Sql, now: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from tokens where id in (
      select id from tokens where expires_at <= ${now} order by expires_at limit ${limit}) returning id`;
  return rows.length;
}

/** Records the last use of a token, unless it has been revoked since. */
export async function touchToken(sql: Sql, id: number, now: Date): Promise<void> {
  await sql`update tokens set last_used_at = ${now} where id = ${id}`;
}

/**
 * Deletes a token that signs out, or has expired. What it made stays until it is revoked (`revokeToken` in `accounts/keys.ts`).
 * @returns false when there is none
 */
export async function deleteToken(sql: Sql, id: number): Promise<boolean> {
  const rows = await sql`delete from tokens where id = ${id} returning id`;
  return rows.length > 0;
}

/** A token of an account; undefined when it has none of that id. */
export async function findOwnToken(
  sql: Sql,
  accountId: number,
  id: number | bigint,
): Promise<Token | undefined> {
  const tokens = await listTokens(sql, accountId);
  return tokens.find((token) => token.id === id);
}

function fromRow(row: TokenRow): Token {
  return {
    id: Number(row.id),
    accountId: Number(row.account_id),
    name: row.name,
    scopes: row.scopes.split(" ").filter((scope) => scope !== "") as Scope[],
    createdAt: new Date(row.created_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
    clientId: row.client_id,
  };
}

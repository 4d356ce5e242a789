import type { Sql } from "../../database/database.ts";
import type { Rows } from "../../database/schema/rows.ts";

/** A session and its account. */
export interface Session {
  readonly accountId: number;
  readonly username: string;
  readonly displayName: string;
  readonly disabled: boolean;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

type SessionRow = Pick<Rows["sessions"], "account_id" | "created_at" | "last_seen_at"> &
  Pick<Rows["accounts"], "username" | "display_name" | "disabled_at">;

export interface NewSession {
  /** A hash of the cookie's value. */
  readonly hash: string;
  readonly account: { readonly id: number; readonly passwordHash: string };
  /** The User-Agent of the browser. */
  readonly userAgent: string | null;
}

const USER_AGENT_MAX = 300;

/** @param hash of the cookie's value */
export async function findSession(sql: Sql, hash: string): Promise<Session | undefined> {
  const [row] = await sql<SessionRow>`
    select s.account_id, a.username, a.display_name, a.disabled_at, s.created_at, s.last_seen_at
    from sessions s join accounts a on a.id = s.account_id where s.key_sha256 = ${hash}`;
  if (row === undefined) return undefined;
  return {
    accountId: Number(row.account_id),
    username: row.username,
    displayName: row.display_name ?? row.username,
    disabled: row.disabled_at !== null,
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
  };
}

/**
 * Stores a new session.
 * @returns false when the account is gone, disabled, or has another password since `account` was read
 */
export async function insertSession(
  sql: Sql,
  { hash, account, userAgent }: NewSession,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    insert into sessions (key_sha256, account_id, created_at, last_seen_at, user_agent)
    select ${hash}, id, ${now}, ${now}, ${userAgent?.slice(0, USER_AGENT_MAX) ?? null} from accounts
    where id = ${account.id} and password_hash = ${account.passwordHash} and disabled_at is null
    returning account_id`;
  return rows.length > 0;
}

/** Deletes at most `limit` sessions that were made before an instant. @returns how many */
export async function purgeSessions(sql: Sql, madeBefore: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from sessions where key_sha256 in (
      select key_sha256 from sessions where created_at <= ${madeBefore} order by created_at limit ${limit})
    returning 1`;
  return rows.length;
}

/** Records the last use of a session, unless it has been deleted since. */
export async function touchSession(sql: Sql, hash: string, now: Date): Promise<void> {
  await sql`update sessions set last_seen_at = ${now} where key_sha256 = ${hash}`;
}

/** Ends a session, if it exists. */
export async function deleteSession(sql: Sql, hash: string): Promise<void> {
  await sql`delete from sessions where key_sha256 = ${hash}`;
}

/** A session as its owner sees it. */
export interface OwnSession {
  /** The beginning of the hash, which identifies the session but does not authenticate. */
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly userAgent: string | null;
}

/** The id of a session, from the hash of its cookie's value. */
export function sessionIdOf(hash: string): string {
  return hash.slice(0, ID_LENGTH);
}

const ID_LENGTH = 16;

/** The sessions of an account, the last used first. */
export async function listSessions(sql: Sql, accountId: number): Promise<OwnSession[]> {
  const rows = await sql<SessionRow & { readonly key_sha256: string; readonly user_agent: string | null }>`
    select key_sha256, created_at, last_seen_at, user_agent from sessions
    where account_id = ${accountId} order by last_seen_at desc, key_sha256`;
  return rows.map((row) => ({
    id: sessionIdOf(row.key_sha256),
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
    userAgent: row.user_agent,
  }));
}

/** Ends a session of an account; false if there is none with this id. */
export async function endSession(sql: Sql, accountId: number, id: string): Promise<boolean> {
  const rows = await sql`
    delete from sessions where account_id = ${accountId} and substr(key_sha256, 1, ${ID_LENGTH}) = ${id}
    returning account_id`;
  return rows.length > 0;
}

/**
 * Ends all sessions of an account but one, and what was allowed to programs in them but not fetched yet.
 * @param keptHash of the session that stays
 */
export async function endSessions(sql: Sql, accountId: number, keptHash = ""): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId} and key_sha256 <> ${keptHash}`;
  await sql`delete from authorization_codes where account_id = ${accountId} and used_at is null`;
}

import type { Instant, Sql } from "../database/database.ts";

/** A session and whose it is. */
export interface Session {
  readonly accountId: number;
  readonly username: string;
  readonly disabled: boolean;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

interface SessionRow {
  readonly account_id: number;
  readonly username: string;
  readonly disabled_at: Instant | null;
  readonly created_at: Instant;
  readonly last_seen_at: Instant;
}

export interface NewSession {
  /** Of the cookie's value. */
  readonly hash: string;
  readonly account: { readonly id: number; readonly passwordHash: string };
  /** What the browser calls itself. */
  readonly userAgent: string | null;
}

const USER_AGENT_MAX = 300;

/** @param hash of the cookie's value */
export async function findSession(sql: Sql, hash: string): Promise<Session | undefined> {
  const [row] = await sql<SessionRow>`
    select s.account_id, a.username, a.disabled_at, s.created_at, s.last_seen_at
    from sessions s join accounts a on a.id = s.account_id where s.key_sha256 = ${hash}`;
  if (row === undefined) return undefined;
  return {
    accountId: Number(row.account_id),
    username: row.username,
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

/** Writes down when a session was last used; nothing when it has been deleted meanwhile. */
export async function touchSession(sql: Sql, hash: string, now: Date): Promise<void> {
  await sql`update sessions set last_seen_at = ${now} where key_sha256 = ${hash}`;
}

/** Ends a session; nothing when there is none. */
export async function deleteSession(sql: Sql, hash: string): Promise<void> {
  await sql`delete from sessions where key_sha256 = ${hash}`;
}

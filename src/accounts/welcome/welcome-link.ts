import { randomBytes } from "node:crypto";
import type { Database, Instant, Sql } from "../../database/database.ts";
import { hasAccounts } from "../account-store.ts";
import { hashOfSecret } from "../tokens/token.ts";

/** How long a link works, in milliseconds. */
const LIFETIME = 60 * 60 * 1000;

/** The link for creating the first account. Its secret is shown in the terminal and not stored. */
export interface WelcomeLink {
  /** Goes into `/welcome/{secret}`: 192 random bits. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/**
 * Creates a link and voids the previous one.
 * @returns undefined if there is already an account
 */
export function createWelcomeLink(database: Database, now: Date): Promise<WelcomeLink | undefined> {
  const secret = randomBytes(24).toString("base64url");
  const expiresAt = new Date(now.getTime() + LIFETIME);
  return database.write(async (sql) => {
    if (await hasAccounts(sql)) return undefined;
    await sql`delete from welcome_links`;
    await sql`
      insert into welcome_links (secret_sha256, created_at, expires_at)
      values (${hashOfSecret(secret)}, ${now}, ${expiresAt})`;
    return { secret, expiresAt };
  });
}

/** The expiry of a link; undefined when it is invalid: unknown, used, expired, or there is an account. */
export async function findWelcomeLink(sql: Sql, secret: string, now: Date): Promise<Date | undefined> {
  const [row] = await sql<{ expires_at: Instant }>`
    select expires_at from welcome_links where secret_sha256 = ${hashOfSecret(secret)} and expires_at > ${now}`;
  if (row === undefined || (await hasAccounts(sql))) return undefined;
  return new Date(row.expires_at);
}

/** Uses up a link, in the transaction that creates the account; false when it is invalid. */
export async function consumeWelcomeLink(sql: Sql, secret: string, now: Date): Promise<boolean> {
  const rows = await sql`
    delete from welcome_links where secret_sha256 = ${hashOfSecret(secret)} and expires_at > ${now}
    returning secret_sha256`;
  return rows.length > 0 && !(await hasAccounts(sql));
}

import { randomBytes } from "node:crypto";
import { createKey, findKey } from "../../accounts/keys.ts";
import type { Instant, Sql } from "../../database/database.ts";

/** How many days a preview link is valid. */
export const PREVIEW_DAYS = 7;

/** Creates a link to a working copy. @returns its secret, of 160 random bits */
export async function createPreview(
  sql: Sql,
  editKey: string,
  accountId: number,
  now: Date,
): Promise<string> {
  const secret = randomBytes(20).toString("base64url");
  const expiresAt = new Date(now.getTime() + PREVIEW_DAYS * 24 * 60 * 60 * 1000);
  await createKey(sql, "preview", accountId, { secret, target: editKey, expiresAt }, now);
  return secret;
}

/** The key of the working copy of a preview link, by the link's secret. */
export async function findPreviewedKey(sql: Sql, secret: string, now: Date): Promise<string | undefined> {
  return (await findKey(sql, "preview", secret, now))?.target;
}

/** When the last preview link of a working copy expires; undefined when there is none. */
export async function previewedUntil(sql: Sql, editKey: string, now: Date): Promise<Date | undefined> {
  const [row] = await sql<{ last: Instant | null }>`
    select max(expires_at) as last from keys
    where kind = 'preview' and target = ${editKey} and expires_at > ${now}`;
  return row?.last == null ? undefined : new Date(row.last);
}

/** Revokes all preview links of a working copy. */
export async function revokePreviews(sql: Sql, editKey: string): Promise<void> {
  await sql`delete from keys where kind = 'preview' and target = ${editKey}`;
}

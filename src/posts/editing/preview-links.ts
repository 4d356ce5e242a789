import { randomBytes } from "node:crypto";
import { hasLiveMaker } from "../../accounts/keys.ts";
import { hashOfSecret } from "../../accounts/tokens/token.ts";
import type { Instant, Sql } from "../../database/database.ts";

/** How long a preview link is valid, in milliseconds. */
export const PREVIEW_TTL = 7 * 24 * 60 * 60 * 1000;

/** Creates a link to a working copy. @returns its secret, of 160 random bits, which is not stored */
export async function createPreview(
  sql: Sql,
  editKey: string,
  accountId: number,
  now: Date,
): Promise<string> {
  const secret = randomBytes(20).toString("base64url");
  const expiresAt = new Date(now.getTime() + PREVIEW_TTL);
  await sql`delete from previews where expires_at <= ${now}`;
  await sql`
    insert into previews (secret_key_sha256, edit_key, created_at, expires_at, created_by)
    values (${hashOfSecret(secret)}, ${editKey}, ${now}, ${expiresAt}, ${accountId})`;
  return secret;
}

/** The key of the working copy of a preview link, by the link's secret; undefined when its maker may not write any more. */
export async function findPreviewedKey(sql: Sql, secret: string, now: Date): Promise<string | undefined> {
  const [row] = await sql<{ edit_key: string; created_by: number }>`
    select edit_key, created_by from previews
    where secret_key_sha256 = ${hashOfSecret(secret)} and expires_at > ${now}`;
  return row && (await hasLiveMaker(sql, row.created_by)) ? row.edit_key : undefined;
}

/** When the last preview link of a working copy expires; undefined when there is none. */
export async function previewedUntil(sql: Sql, editKey: string, now: Date): Promise<Date | undefined> {
  const [row] = await sql<{ last: Instant | null }>`
    select max(expires_at) as last from previews where edit_key = ${editKey} and expires_at > ${now}`;
  return row?.last == null ? undefined : new Date(row.last);
}

/** Revokes all preview links of a working copy. */
export async function revokePreviews(sql: Sql, editKey: string): Promise<void> {
  await sql`delete from previews where edit_key = ${editKey}`;
}

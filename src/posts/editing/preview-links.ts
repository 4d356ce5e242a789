import { createHash, randomBytes } from "node:crypto";
import type { Instant, Sql } from "../../database/database.ts";

/** How long a preview link is valid, in milliseconds. */
export const PREVIEW_TTL = 7 * 24 * 60 * 60 * 1000;

/** Creates a link to a working copy. @returns its secret, of 160 random bits, which is not stored */
export async function createPreview(sql: Sql, editKey: string, now: Date): Promise<string> {
  const secret = randomBytes(20).toString("base64url");
  const expiresAt = new Date(now.getTime() + PREVIEW_TTL);
  await sql`delete from previews where expires_at <= ${now}`;
  await sql`
    insert into previews (secret_key_sha256, edit_key, created_at, expires_at)
    values (${hashOf(secret)}, ${editKey}, ${now}, ${expiresAt})`;
  return secret;
}

/** The key of the working copy of a preview link, by the link's secret. */
export async function findPreviewedKey(sql: Sql, secret: string, now: Date): Promise<string | undefined> {
  const [row] = await sql<{ edit_key: string }>`
    select edit_key from previews where secret_key_sha256 = ${hashOf(secret)} and expires_at > ${now}`;
  return row?.edit_key;
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

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

import { randomBytes } from "node:crypto";
import type { Database, Sql } from "../../database/database.ts";

/** A file of bookmarks that somebody looks over before it is imported. */
export interface Upload {
  readonly key: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** How long a file waits to be imported, in milliseconds. */
const KEPT_FOR = 24 * 60 * 60 * 1000;
/** So many old files a new one takes away with it. */
const PURGED_AT_ONCE = 5;

/** Stores a file for a day. @returns its key */
export function storeUpload(
  database: Database,
  fileName: string,
  bytes: Uint8Array,
  now: Date,
): Promise<string> {
  const key = randomBytes(16).toString("base64url");
  return database.write(async (sql) => {
    await sql`
      delete from import_uploads where key in (
        select key from import_uploads where created_at <= ${new Date(now.getTime() - KEPT_FOR)}
        order by created_at limit ${PURGED_AT_ONCE})`;
    await sql`
      insert into import_uploads (key, file_name, bytes, created_at)
      values (${key}, ${fileName}, ${bytes}, ${now})`;
    return key;
  });
}

/** @returns undefined when it has been imported, or was stored too long ago */
export async function findUpload(sql: Sql, key: string, now: Date): Promise<Upload | undefined> {
  const [row] = await sql<{ file_name: string; bytes: Uint8Array }>`
    select file_name, bytes from import_uploads
    where key = ${key} and created_at > ${new Date(now.getTime() - KEPT_FOR)}`;
  return row && { key, fileName: row.file_name, bytes: row.bytes };
}

export async function deleteUpload(sql: Sql, key: string): Promise<void> {
  await sql`delete from import_uploads where key = ${key}`;
}

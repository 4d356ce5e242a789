import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { ExistingRule } from "../../bookmarks/import/import-decisions.ts";
import type { StagedImport, StagingOptions } from "../../bookmarks/import/staging/import-staging.ts";
import type { Database, Instant, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";

/** An uploaded bookmark file, from its preview to the end of its import. */
export interface Upload {
  readonly key: string;
  readonly fileName: string;
  /** How it is to be imported; undefined until somebody asks for that. */
  readonly asked: AskedImport | undefined;
  /** The import that it becomes; null as long as nothing is imported, and when nothing in it was new. */
  readonly importId: number | null;
  /** How many rows it has, and how many are imported. */
  readonly total: number;
  readonly done: number;
  readonly isFinished: boolean;
}

/** What an import does besides adding what is new. */
export interface AskedImport {
  readonly rule: Extract<ExistingRule, "skip" | "update">;
  /** Whether tags and folders become tags. */
  readonly tags: boolean;
}

/** How long a file is stored, in milliseconds. */
const KEPT_FOR = 24 * 60 * 60 * 1000;
/** Expired files that an upload deletes. */
const PURGED_AT_ONCE = 5;
/** Rows between two pauses for other requests. */
const COUNTED_AT_ONCE = 500;

/** Stores a file for a day. @returns its key */
export function storeImportFile(
  database: Database,
  fileName: string,
  bytes: Uint8Array,
  total: number,
  now: Date,
): Promise<string> {
  const key = randomBytes(16).toString("base64url");
  return database.write(async (sql) => {
    await sql`
      delete from import_uploads where key in (
        select key from import_uploads where created_at <= ${oldest(now)}
        order by created_at limit ${PURGED_AT_ONCE})`;
    await sql`
      insert into import_uploads (key, file_name, bytes, total, created_at)
      values (${key}, ${fileName}, ${bytes}, ${total}, ${now})`;
    return key;
  });
}

interface UploadRow {
  readonly file_name: string;
  readonly rule: string | null;
  readonly with_tags: boolean | number | null;
  readonly import_id: number | null;
  readonly total: number | null;
  readonly done: number | null;
  readonly finished_at: Instant | null;
}

/** @throws Refusal `not_found` for a file that was stored too long ago */
export async function findUpload(sql: Sql, key: string, now: Date): Promise<Upload> {
  const [row] = await sql<UploadRow>`
    select file_name, rule, with_tags, import_id, total, done, finished_at from import_uploads
    where key = ${key} and created_at > ${oldest(now)}`;
  if (row === undefined) throw gone();
  const { rule } = row;
  return {
    key,
    fileName: row.file_name,
    asked:
      rule === null
        ? undefined
        : { rule: rule === "update" ? "update" : "skip", tags: Boolean(row.with_tags) },
    importId: row.import_id === null ? null : Number(row.import_id),
    total: Number(row.total ?? 0),
    done: Number(row.done ?? 0),
    isFinished: row.finished_at !== null,
  };
}

/** Reads and checks a stored file. The caller disposes of the result. @throws Refusal `not_found` */
export async function stageUpload(
  sql: Sql,
  { key, fileName }: Pick<Upload, "key" | "fileName">,
  tags: boolean,
  now: Date,
): Promise<StagedImport> {
  const [row] = await sql<{ bytes: Uint8Array }>`select bytes from import_uploads where key = ${key}`;
  if (row === undefined) throw gone();
  return stage(fileName, row.bytes, { now, tags });
}

/** Requests the import of a file. @returns false if it was requested before */
export async function askForImport(sql: Sql, key: string, asked: AskedImport): Promise<boolean> {
  const rows = await sql`
    update import_uploads set rule = ${asked.rule}, with_tags = ${asked.tags}, done = 0
    where key = ${key} and rule is null returning key`;
  return rows.length > 0;
}

/** Marks the import of a file as failed, so that it can be requested again. */
export async function resetFailedImport(sql: Sql, key: string): Promise<void> {
  await sql`update import_uploads set rule = null where key = ${key} and finished_at is null`;
}

/** Whether an import still runs. */
export async function isRunning(sql: Sql, importId: number): Promise<boolean> {
  const rows = await sql`
    select 1 from import_uploads where import_id = ${importId} and finished_at is null and rule is not null`;
  return rows.length > 0;
}

/** Reads and checks a file; the readers of all formats are loaded with the first one, not when the server starts. */
export async function stage(
  fileName: string,
  bytes: Uint8Array,
  options: StagingOptions,
): Promise<StagedImport> {
  const { stageImport } = await import("../../bookmarks/import/staging/import-staging.ts");
  return stageImport(fileName, bytes, options);
}

/** How many rows a file has. */
export async function countRows({ rows }: StagedImport): Promise<number> {
  let last = 0;
  for (const { staged } of rows.rows()) {
    last = staged.row.position;
    if (last % COUNTED_AT_ONCE === 0) await setImmediate();
  }
  return last;
}

/** Says how far the import is. */
export async function recordProgress(sql: Sql, key: string, importId: number, done: number): Promise<void> {
  await sql`update import_uploads set import_id = ${importId}, done = ${done} where key = ${key}`;
}

/** Ends an import. @param importId null when nothing in the file was new */
export async function finishUpload(sql: Sql, key: string, importId: number | null, now: Date): Promise<void> {
  await sql`
    update import_uploads set import_id = ${importId}, done = coalesce(total, 0), finished_at = ${now}
    where key = ${key}`;
}

/** The files whose import runs. */
export async function listRunningImports(sql: Sql, now: Date): Promise<{ key: string; fileName: string }[]> {
  const rows = await sql<{ key: string; file_name: string }>`
    select key, file_name from import_uploads
    where rule is not null and finished_at is null and created_at > ${oldest(now)} order by created_at, key`;
  return rows.map(({ key, file_name }) => ({ key, fileName: file_name }));
}

function oldest(now: Date): Date {
  return new Date(now.getTime() - KEPT_FOR);
}

function gone(): Refusal {
  return new Refusal("not_found", "The file is no longer here. Choose it again.");
}

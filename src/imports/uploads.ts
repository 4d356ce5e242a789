import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Sql } from "../database/database.ts";
import { Refusal, StartError } from "../errors.ts";
import { findLastError, type LeasedJob, requestJob } from "../jobs/job-store.ts";
import { limits } from "../limits.ts";
import { timeLimit } from "../time-limit.ts";
import type { ExistingRule } from "../transfer/import/plan-bookmarks.ts";
import { deleteChunks, expiredUpload, storeChunks } from "./upload-chunks.ts";

/** The purpose of an uploaded file: bookmarks for the library, or a blog. */
export type UploadKind = "bookmarks" | "blog";

/** The kinds of the jobs that read an uploaded file and import it; their key is the file's. */
export const READING_JOB = "read-import";
/** As {@link READING_JOB}, of a small file, which does not wait for large ones. */
export const SMALL_READING_JOB = "read-small-import";
export const IMPORT_JOB = "import";

/** A file of at most this many bytes is small. */
const SMALL_UPLOAD = 1024 * 1024;

/**
 * Where an uploaded file is: it waits to be read; is being read; is refused, since it cannot be read; is ready to be
 * imported; is being imported, which may fail and can then be asked for again; or is done.
 */
export type UploadState = "uploaded" | "reading" | "refused" | "ready" | "importing" | "failed" | "done";

/** An uploaded file, from its preview to the end of its import. */
export interface Upload {
  readonly key: string;
  readonly kind: UploadKind;
  readonly fileName: string;
  readonly state: UploadState;
  /** The options of its import; undefined until the import is requested. */
  readonly requested: RequestedImport | undefined;
  /** The id of its import; null while nothing is imported, and when nothing in it was new. */
  readonly importId: number | null;
  /** The number of its rows or records, once it is read, and of those imported so far. */
  readonly records: number;
  readonly imported: number;
  /** How far the step before its import is. */
  readonly step: StepProgress;
  /** Why its import failed; undefined unless it did. */
  readonly failure: ImportFailure | undefined;
  /** Why it cannot be read, as a sentence; undefined unless it was refused. */
  readonly refusal: string | undefined;
}

/** How far the reading of a file is, or the fetching of its pictures. */
export interface StepProgress {
  /** The bytes or rows that are read, or the pictures that are fetched, and their total; 0 of 0 while it waits. */
  readonly done: number;
  readonly total: number;
  /** The number of records that were read so far, of a file that is measured in bytes. */
  readonly items: number;
}

/** The reason of a failed import. */
export type ImportFailure =
  /** An error of the program. */
  | "unknown"
  | "storage_full"
  | "unavailable"
  /** Another writer took a slug at the same moment. */
  | "conflict"
  /** The process ended during each attempt. */
  | "interrupted";

/** The reason of an error of an import. */
export function failureOf(error: unknown): ImportFailure {
  const reason = error instanceof Refusal ? error.reason : "unknown";
  return reason === "storage_full" || reason === "unavailable" || reason === "conflict" ? reason : "unknown";
}

/** Whether a file is still being read, or cannot be read. */
export function isUnread({ state }: Pick<Upload, "state">): boolean {
  return state === "uploaded" || state === "reading" || state === "refused";
}

/** The options of an import. */
export interface RequestedImport {
  readonly rule: Extract<ExistingRule, "skip" | "update">;
  /** Whether tags and folders become tags. */
  readonly tags: boolean;
}

/** How long a file is stored, in milliseconds. */
const STORED_FOR = 24 * 60 * 60 * 1000;
/** Expired files that an upload deletes. */
const PURGED_AT_ONCE = 5;

/** A file to store. */
interface NewUpload extends Pick<Upload, "kind" | "fileName"> {
  readonly bytes: Uint8Array;
  /** Whether it may turn out to be of the other kind, since its owner may import that, too. */
  readonly mayBeOther?: boolean;
  /** Who uploads it; null for an anonymous caller. */
  readonly accountId?: number | null;
}

/**
 * Stores a file for a day, and has it read.
 * @param key another one than a random one is for tests
 * @returns its key
 * @throws Refusal `unavailable` when too many files wait to be read
 */
export async function storeUpload(
  database: Pick<Database, "write" | "clock">,
  { kind, fileName, bytes, mayBeOther = false, accountId = null }: NewUpload,
  key = randomBytes(16).toString("base64url"),
): Promise<string> {
  const now = database.clock.now();
  await database.write(async (sql) => {
    await purgeUploads(sql, now, PURGED_AT_ONCE);
    await checkWaiting(sql, bytes.length, accountId, now);
    await sql`
      insert into import_uploads (key, kind, file_name, state, created_at)
      values (${key}, ${kind}, ${fileName}, 'uploaded', ${now})`;
    await storeChunks(sql, { key, part: "file" }, bytes);
    const job = bytes.length > SMALL_UPLOAD ? READING_JOB : SMALL_READING_JOB;
    await requestJob(sql, { kind: job, key, payload: { mayBeOther, accountId }, runAt: now });
  });
  return key;
}

/** Checks that one more file may wait to be read. @throws Refusal `unavailable` */
async function checkWaiting(sql: Sql, size: number, accountId: number | null, now: Date): Promise<void> {
  const rows = await sql<{ payload: string; size: number | string | null }>`
    select jobs.payload, (
      select sum(length(bytes)) from import_pieces where import_pieces.key = jobs.key and part = 'file'
    ) as size
    from jobs join import_uploads on import_uploads.key = jobs.key
    where jobs.kind in (${READING_JOB}, ${SMALL_READING_JOB}) and state in ('uploaded', 'reading')
      and import_uploads.created_at > ${oldest(now)}`;
  const waiting = rows.map(({ payload, size }) => ({ by: accountOf(payload), size: Number(size) }));
  const own = waiting.filter(({ by }) => by === accountId);
  const { all, caller } = limits().waitingUploads;
  for (const [files, most] of [
    [waiting, all],
    [own, caller],
  ] as const)
    if (files.length >= most.files || files.reduce((sum, file) => sum + file.size, size) > most.bytes)
      throw tooManyUploads();
}

function accountOf(payload: string): number | null {
  const { accountId = null } = JSON.parse(payload) as { accountId?: number | null };
  return accountId;
}

/** The refusal of one more file. */
export function tooManyUploads(): Refusal {
  return new Refusal("unavailable", "Many files are being imported at the moment. Try again in a minute.", {
    retryAfter: 60,
  });
}

/** Records how far the reading of a file is. @returns false when it was canceled */
export async function recordReading(
  sql: Sql,
  key: string,
  { done, total, items }: StepProgress,
): Promise<boolean> {
  const rows = await sql`
    update import_uploads set state = 'reading', step_done = ${done}, step_total = ${total}, items = ${items}
    where key = ${key} and state in ('uploaded', 'reading') returning key`;
  return rows.length > 0;
}

/**
 * Records that a file was read; from now on its records are imported, not the file.
 * @param kind what it turned out to be
 * @param records the number of its rows or records
 */
export async function finishReading(
  sql: Sql,
  { key, requested }: Upload,
  kind: UploadKind,
  records: number,
): Promise<void> {
  await deleteChunks(sql, { key, part: "file" });
  await sql`
    update import_uploads
    set kind = ${kind}, state = ${requested === undefined ? "ready" : "importing"}, records = ${records}, imported = 0, step_done = 0,
      step_total = 0, items = 0
    where key = ${key} and state = 'reading'`;
}

/** Records why a file cannot be read. The file is no longer needed. */
export async function refuseUpload(sql: Sql, key: string, detail: string): Promise<void> {
  await deleteChunks(sql, { key, part: "file" });
  await sql`update import_uploads set state = 'refused', reason = ${detail} where key = ${key} and state = 'reading'`;
}

/** Deletes a file that was not read; the job that reads it finds out. */
export async function deleteUnread(sql: Sql, key: string): Promise<void> {
  await sql`delete from import_uploads where key = ${key} and state in ('uploaded', 'reading', 'refused')`;
}

/** Deletes expired files, oldest first. @returns how many */
export async function purgeUploads(sql: Sql, now: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from import_uploads where key in (
      select key from import_uploads where created_at <= ${oldest(now)} order by created_at limit ${limit})
    returning key`;
  return rows.length;
}

interface UploadRow {
  readonly key: string;
  readonly kind: UploadKind;
  readonly file_name: string;
  readonly state: UploadState;
  readonly reason: string | null;
  readonly rule: string | null;
  readonly with_tags: boolean | number | null;
  readonly import_id: number | null;
  readonly records: number;
  readonly imported: number;
  readonly step_done: number;
  readonly step_total: number;
  readonly items: number;
}

/** @throws Refusal `not_found` for a file of another kind, and for an expired one */
export async function findUpload(sql: Sql, kind: UploadKind, key: string, now: Date): Promise<Upload> {
  const upload = await findUploadOfJob(sql, key, now);
  if (upload?.kind !== kind) throw expiredUpload();
  return upload;
}

/** The same for a job, which has nothing to do when the file is gone. */
export async function findUploadOfJob(sql: Sql, key: string, now: Date): Promise<Upload | undefined> {
  // Text that is no key may contain what PostgreSQL refuses.
  if (!/^[\w.-]+$/.test(key)) return undefined;
  const [row] = await sql<UploadRow>`
    select key, kind, file_name, state, reason, rule, with_tags, import_id, records, imported, step_done, step_total,
      items
    from import_uploads where key = ${key} and created_at > ${oldest(now)}`;
  if (row === undefined) return undefined;
  const { kind, state, reason, rule } = row;
  return {
    ...{ key, kind, state },
    fileName: row.file_name,
    requested:
      rule === null
        ? undefined
        : { rule: rule === "update" ? "update" : "skip", tags: Boolean(row.with_tags) },
    importId: row.import_id === null ? null : Number(row.import_id),
    records: Number(row.records),
    imported: Number(row.imported),
    step: { done: Number(row.step_done), total: Number(row.step_total), items: Number(row.items) },
    failure: state === "failed" ? (reason as ImportFailure) : undefined,
    refusal: state === "refused" ? (reason ?? "") : undefined,
  };
}

/** How long a response waits for the end of a reading or an import, in milliseconds. */
const WAIT = 1_000;
/** The interval of looking, in milliseconds: another process may do the work. */
const LOOK_EVERY = 20;

/**
 * Waits a moment while a file is in some states, so that the page of short work in the background is its result.
 * @param wait other times are for tests
 * @returns the file as it is then; undefined when it is gone
 */
export async function awaitEnd(
  { read, clock }: Pick<Database, "read" | "clock">,
  key: string,
  states: readonly UploadState[],
  wait = timeLimit(WAIT),
): Promise<Upload | undefined> {
  const latest = performance.now() + wait;
  for (;;) {
    const upload = await findUploadOfJob(read, key, clock.now());
    if (upload === undefined || !states.includes(upload.state) || performance.now() > latest) return upload;
    await sleep(LOOK_EVERY);
  }
}

/** Requests the import of a file. @returns false if it was requested before */
export async function requestImport(sql: Sql, key: string, requested: RequestedImport): Promise<boolean> {
  const rows = await sql`
    update import_uploads
    set state = 'importing', reason = null, rule = ${requested.rule}, with_tags = ${requested.tags}, imported = 0,
      step_done = 0, step_total = 0
    where key = ${key} and state in ('ready', 'failed') returning key`;
  return rows.length > 0;
}

/** Marks the import of a file as failed, so that it can be requested again. What it has stored is an import of its own. */
export async function failImport(sql: Sql, key: string, failure: ImportFailure): Promise<void> {
  const rows = await sql<{ imported: number }>`
    update import_uploads set state = 'failed', reason = ${failure}, import_id = null
    where key = ${key} and state = 'importing' returning imported`;
  // What was imported is there now.
  if (rows.some(({ imported }) => Number(imported) > 0)) await deleteChunks(sql, { key, part: "preview" });
}

/** After this many attempts, which may have taken the process with them, a reading or an import has failed. */
export const ATTEMPTS_MAX = 5;

/**
 * Runs an attempt of a background import; gives up after a few failures, and the page says why. Damaged files stay damaged:
 * a StartError ends the import at once.
 * @param job the attempt; the key is that of the uploaded file
 * @throws what `work` throws, for another attempt
 */
export async function attemptImport(
  database: Pick<Database, "write">,
  { key, attempts }: Pick<LeasedJob, "key" | "attempts">,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const giveUp = (failure: ImportFailure) => database.write((sql) => failImport(sql, key, failure));
  if (attempts > ATTEMPTS_MAX) return giveUp("interrupted");
  try {
    await work();
  } catch (error) {
    // The attempts before the last one are in the log.
    if (!(error instanceof StartError) && (attempts < ATTEMPTS_MAX || signal.aborted)) throw error;
    await giveUp(failureOf(error));
  }
}

/**
 * Why the last attempt of a waiting job failed, as a sentence; undefined if it did not.
 * @param kinds of the job: one of these
 * @param otherwise the sentence for an error of the program, whose message is not for readers
 */
export async function troubleOf(
  sql: Sql,
  kinds: readonly string[],
  key: string,
  otherwise: string,
): Promise<string | undefined> {
  const error = await findLastError(sql, kinds, key);
  return error && (/^Refusal: (.*)$/s.exec(error)?.[1] ?? otherwise);
}

/** Whether an import still runs. */
export async function isRunning(sql: Sql, importId: number): Promise<boolean> {
  const rows = await sql`
    select 1 from import_uploads where import_id = ${importId} and state = 'importing'`;
  return rows.length > 0;
}

/** Records how many rows of a file are imported. @param importId null until something is stored */
export async function recordProgress(
  sql: Sql,
  key: string,
  importId: number | null,
  imported: number,
): Promise<void> {
  await sql`update import_uploads set import_id = ${importId}, imported = ${imported} where key = ${key}`;
}

/** Records how many texts of pages of a file are done, after its rows. */
export async function recordTexts(sql: Sql, key: string, done: number, found: number): Promise<void> {
  await sql`update import_uploads set step_done = ${done}, step_total = ${found} where key = ${key}`;
}

/**
 * Ends an import. The records of the file are no longer needed, since they are recorded.
 * @param importId null when nothing in the file was new: then nothing is recorded, and they stay until they expire
 */
export async function finishImport(sql: Sql, key: string, importId: number | null, now: Date): Promise<void> {
  if (importId !== null)
    for (const part of ["records", "preview", "report"] as const) await deleteChunks(sql, { key, part });
  await deleteChunks(sql, { key, part: "pictures" });
  await sql`
    update import_uploads set state = 'done', import_id = ${importId}, imported = records, finished_at = ${now}
    where key = ${key}`;
}

/** The files that are being read or imported. */
export async function listRunningImports(
  sql: Sql,
  kind: UploadKind,
  now: Date,
): Promise<{ key: string; fileName: string }[]> {
  const rows = await sql<{ key: string; file_name: string }>`
    select key, file_name from import_uploads
    where kind = ${kind} and state in ('uploaded', 'reading', 'importing') and created_at > ${oldest(now)}
    order by created_at, key`;
  return rows.map(({ key, file_name }) => ({ key, fileName: file_name }));
}

/** The name of an uploaded file as it is stored. @param unnamed for one without a name */
export function uploadName({ name }: Partial<Pick<File, "name">>, unnamed: string): string {
  // The runtime gives a file no name when the name in the form is empty.
  return name?.split(/[/\\]/).at(-1)?.toWellFormed().replaceAll("\0", "") || unnamed;
}

function oldest(now: Date): Date {
  return new Date(now.getTime() - STORED_FOR);
}

import { forgetImport } from "../../bookmarks/import/history/forget-import.ts";
import { importBookmarks, importInPieces } from "../../bookmarks/import/import-bookmarks.ts";
import {
  attemptImport,
  failureOf,
  findUploadOfJob,
  finishUpload,
  type RequestedImport,
  recordProgress,
  requestImport,
  resetFailedImport,
  type Upload,
} from "../../bookmarks/import/uploads.ts";
import type { Database } from "../../database/database.ts";
import { type LeasedJob, requestJob } from "../../jobs/job-store.ts";
import { IMPORT_JOB } from "./import-job.ts";
import { stageUpload } from "./stage-upload.ts";

/** A file of more rows is imported in the background. */
const AT_ONCE_MAX = 1_000;
/** The time after which an unfinished immediate import is continued by a job, in milliseconds. */
const TAKEN_OVER = 60_000;

/**
 * Imports a stored file: one of few rows at once, in one transaction; others by a job, in pieces.
 * @returns whether a job was requested, which may be woken
 */
export async function startImport(
  database: Database,
  upload: Upload,
  requested: RequestedImport,
): Promise<boolean> {
  const { key } = upload;
  const now = database.clock.now();
  const isJob = upload.total > AT_ONCE_MAX;
  const isFirst = await database.write(async (sql) => {
    if (!(await requestImport(sql, key, requested))) return false;
    // Also for an immediate import: the job finishes it if the process is killed.
    await requestJob(sql, {
      kind: IMPORT_JOB,
      key,
      runAt: isJob ? now : new Date(now.getTime() + TAKEN_OVER),
    });
    return true;
  });
  if (!isFirst || isJob) return isFirst;
  try {
    using staged = await stageUpload(database.read, upload, requested.tags, now);
    const { import_id } = await importBookmarks(database, staged, requested.rule);
    await database.write((sql) => finishUpload(sql, key, import_id, database.clock.now()));
  } catch (error) {
    await database.write((sql) => resetFailedImport(sql, key, failureOf(error)));
    throw error;
  }
  return false;
}

/**
 * Runs or continues the import of a file; does nothing if it is finished or deleted. After a few failures it gives up, and the
 * page says so.
 */
export async function runImport(
  database: Database,
  job: Pick<LeasedJob, "key" | "attempts">,
  signal: AbortSignal,
): Promise<void> {
  const upload = await findUploadOfJob(database.read, "bookmarks", job.key, database.clock.now());
  const requested = upload?.requested;
  if (upload?.state !== "importing" || requested === undefined) return;
  await attemptImport(database, job, signal, () => importPieces(database, upload, requested, signal));
}

async function importPieces(
  database: Database,
  upload: Upload,
  requested: RequestedImport,
  signal: AbortSignal,
): Promise<void> {
  const { key, importId, done } = upload;
  const now = database.clock.now();
  using staged = await stageUpload(database.read, upload, requested.tags, now);
  const begun = importId === null ? undefined : { importId, lastPosition: done };
  const report = await importInPieces(database, staged, requested.rule, {
    begun,
    signal,
    onPiece: (sql, id, position) => recordProgress(sql, key, id, position),
  });
  const isEmpty = report.import_id !== null && !(await hasChanges(database, report.import_id));
  await database.write((sql) =>
    finishUpload(sql, key, isEmpty ? null : report.import_id, database.clock.now()),
  );
  if (isEmpty && report.import_id !== null) await forgetImport(database, report.import_id, now);
}

async function hasChanges({ read }: Database, importId: number): Promise<boolean> {
  const rows = await read`
    select 1 from import_rows where import_id = ${importId} and outcome in ('added', 'updated') limit 1`;
  return rows.length > 0;
}

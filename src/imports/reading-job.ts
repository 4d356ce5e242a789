import { closeSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { existingIn } from "../bookmarks/bookmarks-by-url.ts";
import type { Database } from "../database/database.ts";
import { StartError } from "../errors.ts";
import { holdLease, type LeasedJob, LeaseLost, requestJob } from "../jobs/job-store.ts";
import { UnreadableFile } from "../readers/files/unreadable-file.ts";
import { temporaryFolder } from "../temporary-file.ts";
import { reportJson } from "../transfer/import/report-json.ts";
import type { StagedSite } from "../transfer/import/staged-file.ts";
import { en } from "../web/messages/en.ts";
import { blogPreview } from "./blog/preview.ts";
import { hasPreview, storePreviews, type Write } from "./previews.ts";
import { FILES, type ReadingMessage } from "./reading-folder.ts";
import { Progress, readInFolder } from "./reading-process.ts";
import { CHUNK, copyChunks, deleteChunks, type StoredFile, storeChunk } from "./upload-chunks.ts";
import {
  ATTEMPTS_MAX,
  failureOf,
  findUploadOfJob,
  finishReading,
  IMPORT_JOB,
  recordReading,
  refuseUpload,
  type Upload,
  type UploadKind,
} from "./uploads.ts";
import { writeTexts } from "./write-texts.ts";

/** The interval of recording the progress, in milliseconds. */
const RECORD_EVERY = 1_000;

/**
 * Reads and checks an uploaded file; its records replace it in the database, with the plan of their import, which the preview
 * shows. Of a file that was read before, only a missing plan is made. Does nothing if the file is gone. A run that was killed
 * leaves the file as it was uploaded.
 *
 * @param every the interval of recording the progress; another one is for tests
 */
export async function runReading(
  database: Database,
  job: Pick<LeasedJob, "id" | "lease" | "key" | "payload" | "attempts">,
  signal: AbortSignal,
  every = RECORD_EVERY,
): Promise<void> {
  const { key, payload, attempts } = job;
  /** Only the process that has the job stores something: one that stood still may find another at work. */
  const write: Write = (work) =>
    database.write(async (sql) => {
      await holdLease(sql, job);
      return work(sql);
    });
  const upload = await findUploadOfJob(database.read, key, database.clock.now());
  if (upload === undefined) return;
  const accountId = typeof payload.accountId === "number" ? payload.accountId : null;
  if (isRead(upload)) return planAgain(database, write, upload, accountId, signal);
  let progress = new Progress(0);
  if (!(await database.write((sql) => recordReading(sql, key, progress.now)))) return;
  const canceled = new AbortController();
  const recording = setInterval(async () => {
    // A short outage of the database does not end the reading.
    const goesOn = await database.write((sql) => recordReading(sql, key, progress.now)).catch(() => true);
    if (!goesOn) canceled.abort();
  }, every);
  try {
    await using folder = await temporaryFolder();
    if (attempts > ATTEMPTS_MAX)
      throw new UnreadableFile("cannot be read: the server stopped during each attempt");
    progress = new Progress(
      await copyChunks(database, { key, part: "file" }, join(folder.path, FILES.input)),
    );
    const request = { fileName: upload.fileName, now: database.clock.now().getTime() };
    const onMessage = (message: ReadingMessage) => progress.tell(message);
    const find = existingIn(database.read);
    const watch = { find, onMessage, signal: AbortSignal.any([signal, canceled.signal]) };
    const { kind, count } = await readAsEither(
      (kind) => readInFolder(folder.path, { kind, ...request }, watch),
      upload.kind,
      payload.mayBeOther === true,
    );
    if (kind === "blog" && !count) throw new StartError(en.blogImport.noPosts, 2);
    await storeFile(write, { key, part: "records" }, join(folder.path, FILES.records), watch.signal);
    if (kind === "blog") await planBlog(database, folder.path, upload, accountId);
    await storePlan(write, key, folder.path, watch.signal);
    await write(async (sql) => {
      await finishReading(sql, upload, kind, count ?? 0);
      // Only a file of an earlier version is read again after its import was requested.
      if (upload.requested !== undefined)
        await requestJob(sql, { kind: IMPORT_JOB, key, payload, runAt: database.clock.now() });
    });
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const isCanceled = (await findUploadOfJob(database.read, key, database.clock.now())) === undefined;
    if (isCanceled) return;
    const reason = reasonOf(upload, error) ?? (attempts < ATTEMPTS_MAX ? undefined : lastReasonOf(error));
    if (reason === undefined || signal.aborted) throw error;
    await write((sql) => refuseUpload(sql, key, reason));
  } finally {
    clearInterval(recording);
  }
}

/**
 * Reads a file as what it was chosen for; if it is none of that kind, and may be of the other one, as that.
 * @param read returns the number of records; null for a file that is no blog
 * @throws what the first reading throws, if neither succeeds
 */
async function readAsEither(
  read: (kind: UploadKind) => Promise<number | null>,
  kind: UploadKind,
  mayBeOther: boolean,
): Promise<{ readonly kind: UploadKind; readonly count: number | null }> {
  let unknown: unknown;
  try {
    const count = await read(kind);
    if (count !== null || !mayBeOther) return { kind, count };
  } catch (error) {
    if (!(error instanceof UnreadableFile) || !mayBeOther) throw error;
    unknown = error;
  }
  const other = kind === "blog" ? "bookmarks" : "blog";
  const count = await read(other).catch((error) => {
    // What the file is says more than that it is not of the first kind; but not a list of all that is read.
    const isKnown = error instanceof UnreadableFile && error.message === error.reason;
    const saysMore = unknown === undefined && isKnown;
    if (!saysMore && (error instanceof UnreadableFile || error instanceof StartError)) return null;
    throw error;
  });
  if (count) return { kind: other, count };
  if (unknown !== undefined) throw unknown;
  return { kind, count: null };
}

/** Why a file cannot be read, as a sentence; undefined for an error that is not of the file. */
function reasonOf({ kind, fileName }: Upload, error: unknown): string | undefined {
  if (error instanceof UnreadableFile)
    return kind === "bookmarks" ? `“${fileName}” ${error.reason}.` : `The file ${error.reason}.`;
  return error instanceof StartError ? error.message : undefined;
}

/** The same for an error that is not of the file, when it is not read again. */
function lastReasonOf(error: unknown): string {
  return en.library.importing.failures[failureOf(error)].replaceAll("`", "");
}

/** Whether a file was read, so that its import can be planned. */
function isRead({ state }: Upload): boolean {
  return state === "ready" || state === "failed";
}

/** Plans the import of a file that was read before plans were stored, or of which a part was imported. */
async function planAgain(
  database: Database,
  write: Write,
  upload: Upload,
  accountId: number | null,
  signal: AbortSignal,
): Promise<void> {
  const { key, kind, fileName } = upload;
  if (await hasPreview(database.read, key)) return;
  await using folder = await temporaryFolder();
  if ((await copyChunks(database, { key, part: "records" }, join(folder.path, FILES.records))) === 0) return;
  const request = { kind, fileName, now: database.clock.now().getTime(), isRead: true };
  if (kind === "blog") await planBlog(database, folder.path, upload, accountId);
  else await readInFolder(folder.path, request, { find: existingIn(database.read), signal });
  await storePlan(write, key, folder.path, signal);
}

/** Plans the import of a blog or an archive; what pages show of it, and the report are put into the folder. */
async function planBlog(
  database: Pick<Database, "read" | "engine" | "clock">,
  folder: string,
  { fileName }: Upload,
  accountId: number | null,
): Promise<void> {
  // The checks of all records are loaded with the first file, not when the server starts.
  const { openStaged } = await import("../transfer/import/staged-file.ts");
  const { previewSite } = await import("../transfer/import/import-records.ts");
  const wanted = { fileName, now: database.clock.now(), tags: true };
  using site = openStaged(join(folder, FILES.records), wanted) as StagedSite;
  const report = await previewSite(database, site, { accountId });
  writeTexts(join(folder, FILES.report), reportJson(report));
  writeFileSync(join(folder, FILES.previews), JSON.stringify([blogPreview(report, site)]), { mode: 0o600 });
}

/** Stores what pages show of a plan last: then all of it is there. */
async function storePlan(write: Write, key: string, folder: string, signal: AbortSignal): Promise<void> {
  await storeFile(write, { key, part: "report" }, join(folder, FILES.report), signal);
  await storePreviews(write, key, readFileSync(join(folder, FILES.previews), "utf8"));
}

/** Stores a file in chunks, compressed, each in a transaction of its own, so that others do not wait. */
async function storeFile(write: Write, stored: StoredFile, path: string, signal: AbortSignal): Promise<void> {
  await write((sql) => deleteChunks(sql, stored));
  const descriptor = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(CHUNK);
    for (let number = 0; ; number++) {
      signal.throwIfAborted();
      const length = readSync(descriptor, buffer, 0, CHUNK, number * CHUNK);
      if (length === 0) return;
      const chunk = await Bun.zstdCompress(buffer.subarray(0, length), { level: 1 });
      await write((sql) => storeChunk(sql, stored, number, chunk));
    }
  } finally {
    closeSync(descriptor);
  }
}

import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Database, Sql } from "../database/database.ts";
import { StartError } from "../errors.ts";
import { holdLease, type LeasedJob, LeaseLost, requestJob } from "../jobs/job-store.ts";
import { UnreadableFile } from "../readers/files/unreadable-file.ts";
import { temporaryFolder } from "../temporary-file.ts";
import { en } from "../web/messages/en.ts";
import { copyPieces, deletePieces, PIECE, type StoredFile, storePieces } from "./pieces.ts";
import { FILES, Progress, type ReadingMessage, readInFolder } from "./reading-process.ts";
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

/** The interval of recording the progress, in milliseconds. */
const RECORD_EVERY = 1_000;

type Write = (work: (sql: Sql) => Promise<void>) => Promise<void>;

/**
 * Reads and checks an uploaded file; its records replace it in the database, and are what the preview shows and the import
 * stores. Does nothing if the file was read before, or is gone. A run that was killed leaves the file as it was uploaded.
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
      await copyPieces(database, { key, part: "file" }, join(folder.path, FILES.input)),
    );
    const request = { fileName: upload.fileName, now: database.clock.now().getTime() };
    const onMessage = (message: ReadingMessage) => progress.tell(message);
    const watch = { onMessage, signal: AbortSignal.any([signal, canceled.signal]) };
    const { kind, count } = await readAsEither(
      (kind) => readInFolder(folder.path, { kind, ...request }, watch),
      upload.kind,
      payload.mayBeOther === true,
    );
    if (kind === "blog" && !count) throw new StartError(en.blogImport.noPosts, 2);
    await storeRecords(write, { key, part: "records" }, join(folder.path, FILES.records), watch.signal);
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

/** Stores the records in pieces, compressed, each in a transaction of its own, so that others do not wait. */
async function storeRecords(
  write: Write,
  stored: StoredFile,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  await write((sql) => deletePieces(sql, stored));
  const descriptor = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(PIECE);
    for (let number = 0; ; number++) {
      signal.throwIfAborted();
      const length = readSync(descriptor, buffer, 0, PIECE, number * PIECE);
      if (length === 0) return;
      const piece = await Bun.zstdCompress(buffer.subarray(0, length), { level: 1 });
      await write((sql) => storePieces(sql, stored, piece, number));
    }
  } finally {
    closeSync(descriptor);
  }
}

import type { Config } from "../config/config.ts";
import type { Database, Sql } from "../database/database.ts";
import { type LeasedJob, requestJob, requestNextRun } from "../jobs/job-store.ts";
import type { MediaPlaces } from "../media/place-images.ts";
import type { Network } from "../outbound/fetch-public.ts";
import { importBookmarks, importInPieces } from "../transfer/import/import-bookmarks.ts";
import { keepMarks, MARK_PLACES, type MarkPlace } from "../transfer/import/keep-marks.ts";
import { forgetUnchanged, keepTexts, type TextParts } from "../transfer/import/keep-texts.ts";
import { areNotesOpen } from "../transfer/import/note-readers.ts";
import { placePictures } from "../transfer/import/place-pictures.ts";
import { lastPosition } from "../transfer/import/undo-import.ts";
import { readSite } from "../web/site/site-store.ts";
import { type FetchingOptions, fetchPictures } from "./fetched-pictures.ts";
import { stagedBookmarks, stagedSite } from "./staged-upload.ts";
import {
  attemptImport,
  failImport,
  failureOf,
  findUploadOfJob,
  finishImport,
  IMPORT_JOB,
  type RequestedImport,
  recordProgress,
  recordTexts,
  requestImport,
  type Upload,
} from "./uploads.ts";

/** A file of more bookmarks, and any blog, is imported in the background. */
const AT_ONCE_MAX = 1_000;
/** The texts of pages that a run keeps: a third of a second each, after which other jobs have their turn. */
const TEXTS_AT_ONCE = 50;
/** The marks of a run. */
const MARKS_AT_ONCE = 10_000;
/** The time after which an unfinished immediate import is continued by a job, in milliseconds. */
const TAKEN_OVER = 60_000;

/**
 * Imports a file that was read: one of few bookmarks without texts at once, in one transaction; others by a job.
 * @param by who imports it, what marks become (with `notes`, no copies are kept), whether pictures at other sites are brought along, and
 * whether posts become drafts that an earlier import made public, and that are hidden in the file
 * @returns whether a job was requested, which may be woken
 */
export async function startImport(
  database: Database,
  upload: Upload,
  requested: RequestedImport,
  by: {
    readonly accountId: number | null;
    readonly marks?: MarkPlace | undefined;
    readonly pictures?: boolean;
    readonly drafts?: boolean;
  },
): Promise<boolean> {
  const { key } = upload;
  const now = database.clock.now();
  const isJob = upload.kind === "blog" || upload.records > AT_ONCE_MAX;
  const isFirst = await database.write(async (sql) => {
    if (!(await requestImport(sql, key, requested))) return false;
    // Also for an immediate import: the job finishes it if the process is killed.
    const runAt = isJob ? now : new Date(now.getTime() + TAKEN_OVER);
    await requestJob(sql, { kind: IMPORT_JOB, key, payload: { ...by }, runAt });
    return true;
  });
  if (!isFirst || isJob) return isFirst;
  try {
    using staged = await stagedBookmarks(database, upload, requested);
    // Each text takes a process, and marks come after the texts.
    if (staged.texts.count + staged.marks.count > 0) {
      await database.write((sql) =>
        requestJob(sql, { kind: IMPORT_JOB, key, payload: { ...by }, runAt: now }),
      );
      return true;
    }
    await importBookmarks(database, staged, requested.rule, (sql, importId) =>
      finishImport(sql, key, importId, database.clock.now()),
    );
  } catch (error) {
    await database.write((sql) => failImport(sql, key, failureOf(error)));
    throw error;
  }
  return false;
}

/** Where imports store, and how they keep texts. */
export interface ImportParts extends MediaPlaces {
  readonly texts: TextParts;
  readonly bookmarksAccess: Config["bookmarksAccess"];
}

type ImportJob = Pick<LeasedJob, "key" | "payload" | "attempts" | "requests">;

/**
 * Runs or continues the import of a file; does nothing if it is finished or deleted. After a few failures it gives up, and the
 * page says so.
 * @param network where pictures are fetched; none when nothing may be fetched
 * @param limits of fetching; others are for tests
 */
export async function runImport(
  parts: ImportParts,
  job: ImportJob,
  signal: AbortSignal,
  network?: Network,
  limits?: FetchingOptions["limits"],
): Promise<void> {
  const { database } = parts;
  const upload = await findUploadOfJob(database.read, job.key, database.clock.now());
  if (upload?.state !== "importing") return;
  await attemptImport(database, job, signal, () =>
    upload.kind === "blog"
      ? importBlog(parts, upload, job, { signal, network, ...(limits && { limits }) })
      : importPieces(parts, upload, job, signal),
  );
}

/**
 * Imports a blog or an archive in one transaction, in which the upload is finished as well: an interrupted job starts over,
 * and a repeated one does nothing. Pictures are fetched before, in as many runs as that takes, so that other jobs have their turn.
 */
async function importBlog(
  places: MediaPlaces,
  upload: Upload,
  { payload, requests }: ImportJob,
  {
    signal,
    network,
    ...others
  }: Pick<FetchingOptions, "signal" | "limits"> & { readonly network: Network | undefined },
): Promise<void> {
  const { database } = places;
  const { key } = upload;
  using site = await stagedSite(database, upload);
  if (payload.pictures === true && network !== undefined) {
    const spent = Number(payload.spent ?? 0);
    const fetched = await fetchPictures(database, upload, site, { network, signal, spent, ...others });
    if (fetched === "stopped") return;
    if (fetched !== "complete") {
      const next = { ...payload, spent: fetched };
      await database.write((sql) =>
        requestNextRun(sql, { kind: IMPORT_JOB, key, requests }, next, database.clock.now()),
      );
      return;
    }
  }
  const { importSite } = await import("../transfer/import/import-records.ts");
  await placePictures(places, site.records, signal);
  signal.throwIfAborted();
  const importer = { accountId: typeof payload.accountId === "number" ? payload.accountId : null };
  const onStored = (sql: Sql, importId: number | null) =>
    finishImport(sql, key, importId, database.clock.now());
  await importSite(database, site, importer, onStored, payload.drafts === true);
}

/** Imports bookmarks in pieces, then the texts of their pages and what is marked in them, in as many runs as that takes; another run continues. */
async function importPieces(
  parts: ImportParts,
  upload: Upload,
  { payload, requests }: ImportJob,
  signal: AbortSignal,
): Promise<void> {
  const { database, texts } = parts;
  const { key, requested = { rule: "skip", tags: true } } = upload;
  let { importId } = upload;
  const begun =
    importId === null ? undefined : { importId, lastPosition: await lastPosition(database.read, importId) };
  using staged = await stagedBookmarks(database, upload, requested);
  const rows = staged.records.total;
  if (begun === undefined || begun.lastPosition < rows) {
    const report = await importInPieces(database, staged, requested.rule, {
      ...{ begun, signal },
      onPiece: (sql, id, position) => recordProgress(sql, key, id, position),
    });
    importId = report.import_id;
  }
  const found = staged.texts.count;
  if (importId !== null && found + staged.marks.count > 0) {
    const by = typeof payload.accountId === "number" ? { accountId: payload.accountId } : {};
    const place = await placeNow(parts, payload);
    const areDone =
      (place === "notes" ||
        (await keepTexts(database, texts, staged, {
          ...{ ...by, importId, signal, most: TEXTS_AT_ONCE },
          onText: (sql, done) => recordTexts(sql, key, done, found),
        }))) &&
      (await keepMarks(database, staged, { ...by, importId, signal, most: MARKS_AT_ONCE, place }));
    if (!areDone)
      return database.write((sql) =>
        requestNextRun(sql, { kind: IMPORT_JOB, key, requests }, payload, database.clock.now()),
      );
    if (await forgetUnchanged(database, importId)) importId = null;
  }
  await database.write((sql) => finishImport(sql, key, importId, database.clock.now()));
}

/** What marks become in a run: as was decided at the request, but marks alone if others may read notes by now. */
async function placeNow(
  { database: { read, clock }, bookmarksAccess }: ImportParts,
  { marks, copies }: ImportJob["payload"],
): Promise<MarkPlace> {
  // Jobs of earlier versions say only whether copies are kept, or nothing.
  const given = MARK_PLACES.find((one) => one === marks) ?? (copies === false ? "notes" : "marks");
  if (given !== "either") return given;
  // Before the first account, nobody else may read notes.
  const { hadAccount } = await readSite(read);
  return hadAccount && (await areNotesOpen(read, bookmarksAccess, clock.now())) ? "marks" : "either";
}

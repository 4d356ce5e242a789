import { isReadApart, type ReadingMessage, readApart } from "../../bookmarks/import/apart/read-apart.ts";
import { fileOf, watchedFile } from "../../bookmarks/import/file-bytes.ts";
import { imports } from "../../bookmarks/import/import-queue.ts";
import { UnreadableFile } from "../../bookmarks/import/unreadable-file.ts";
import {
  attemptImport,
  findUploadOfJob,
  finishUpload,
  readUpload,
  recordProgress,
  requestImport,
  type Upload,
} from "../../bookmarks/import/uploads.ts";
import type { Database, Sql } from "../../database/database.ts";
import { StartError } from "../../errors.ts";
import { type LeasedJob, requestJob } from "../../jobs/job-store.ts";
import type { ImageSize } from "../../media/accept-image.ts";
import { isOfSize, listMediaSizes } from "../../media/media-store.ts";
import type { MediaPlaces } from "../../media/place-images.ts";
import { placePictures } from "../import/place-pictures.ts";
import { StagedRecords } from "../import/staged-records.ts";
import type { StagedSite } from "../import/staged-site.ts";
import { BLOG_IMPORT_JOB } from "./blog-import-job.ts";

/** The interval of recording the progress, in milliseconds. */
const REPORT_EVERY = 1_000;
/** The maximum unpacked size of an uploaded archive, in bytes. */
const UNPACKED_MAX = 512 * 1024 * 1024;

/** Requests the import of a stored file for an account. @returns false if it was requested before */
export function requestBlogImport(database: Database, { key }: Upload, accountId: number): Promise<boolean> {
  return database.write(async (sql) => {
    if (!(await requestImport(sql, key, { rule: "skip", tags: true }))) return false;
    await requestJob(sql, {
      kind: BLOG_IMPORT_JOB,
      key,
      payload: { accountId },
      runAt: database.clock.now(),
    });
    return true;
  });
}

/**
 * Imports a stored file in one transaction, in which the upload is finished as well: an interrupted job starts over,
 * and a repeated one does nothing. After a few failures it stops, and the page says so.
 */
export async function runBlogImport(
  places: MediaPlaces,
  job: Pick<LeasedJob, "key" | "payload" | "attempts">,
  signal: AbortSignal,
): Promise<void> {
  const { database } = places;
  const { key, payload } = job;
  const upload = await findUploadOfJob(database.read, "blog", key, database.clock.now());
  if (upload?.state !== "importing") return;
  await attemptImport(database, job, signal, async () => {
    using site = await readWhole(database, upload, signal);
    if (site === undefined) throw new StartError("The file has no posts.", 2);
    const { importSite } = await import("../import/import-records.ts");
    await placePictures(places, site.records, signal);
    const importer = { accountId: typeof payload.accountId === "number" ? payload.accountId : null };
    await importSite(database, site, importer, (sql, importId) =>
      finishUpload(sql, key, importId, database.clock.now()),
    );
  });
}

/** Reads a stored file for its import, and records the progress. */
async function readWhole(
  database: Database,
  upload: Upload,
  signal: AbortSignal,
): Promise<StagedSite | undefined> {
  const { key, total } = upload;
  let reportedAt = performance.now();
  let reporting: Promise<unknown> = Promise.resolve();
  const report = (done: number) => {
    reporting = reporting.then(() => database.write((sql) => recordProgress(sql, key, null, done)));
    // Awaited below.
    reporting.catch(() => {});
  };
  const site = await stageStored(database, upload, {
    signal,
    onRecord: (count) => {
      signal.throwIfAborted();
      if (performance.now() - reportedAt < REPORT_EVERY) return;
      reportedAt = performance.now();
      report(Math.min(count, total));
    },
  });
  try {
    report(total);
    await reporting;
  } catch (error) {
    site?.[Symbol.dispose]();
    throw error;
  }
  return site;
}

export interface Reading {
  /** Whether it is read for a preview alone. */
  readonly isPreview?: boolean;
  /** In a preview: the sizes of the images that the database has. */
  readonly imageSizes?: readonly ImageSize[];
  readonly signal?: AbortSignal;
  readonly onRecord?: (count: number) => void;
  /** Called with the positions of the bytes that were read. */
  readonly onRead?: (start: number, end: number) => void;
}

/** How a preview reads a file: it finds out which images the database has. */
export async function previewReading(read: Sql): Promise<Reading> {
  return { isPreview: true, imageSizes: await listMediaSizes(read) };
}

/** Reads and checks a stored file. The caller disposes of the result. @throws Refusal `not_found` */
export async function stageStored(
  { read }: Pick<Database, "read">,
  { key, fileName }: Pick<Upload, "key" | "fileName">,
  reading: Reading,
): Promise<StagedSite | undefined> {
  return stageBlog(fileName, await readUpload(read, key), reading);
}

/**
 * Reads and checks an uploaded file; the readers of all formats are loaded with the first one, not when the server starts.
 * @returns undefined when it has no posts in a known format
 * @throws StartError when it is damaged, hostile or too large
 */
export async function stageBlog(
  fileName: string,
  bytes: Uint8Array,
  { onRead = () => {}, onRecord = () => {}, isPreview = false, imageSizes = [], signal }: Reading,
): Promise<StagedSite | undefined> {
  const now = new Date();
  if (isReadApart(bytes)) {
    const onMessage = ({ read, records }: ReadingMessage) => {
      if (read !== undefined) onRead(...read);
      if (records !== undefined) onRecord(records);
    };
    const order = {
      ...({ kind: "site", fileName, now: now.getTime(), unpackedMax: UNPACKED_MAX } as const),
      imageSizes: isPreview ? imageSizes : undefined,
    };
    return imports.turn(() =>
      readApart(bytes, order, { onMessage, signal }, (found, scratch): StagedSite => {
        const records = StagedRecords.open(scratch, isPreview);
        const known = found as Pick<StagedSite, "format" | "lastIds">;
        return { ...known, fileName, now, records, [Symbol.dispose]: () => records[Symbol.dispose]() };
      }).catch((error) => {
        throw error instanceof UnreadableFile ? new StartError(`The file ${error.reason}.`, 2, error) : error;
      }),
    );
  }
  const { stageSite } = await import("../stage-site.ts");
  const file = watchedFile(fileOf(bytes), onRead);
  const mayHaveImage = async (size: ImageSize) => imageSizes.some((known) => isOfSize(known, size));
  return imports.turn(() =>
    stageSite(file, { fileName, now, unpackedMax: UNPACKED_MAX, onRecord, isPreview, mayHaveImage }),
  );
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Sql } from "../database/database.ts";
import { Refusal } from "../errors.ts";
import { requestJob } from "../jobs/job-store.ts";
import { timeLimit } from "../time-limit.ts";
import type { BlogPreview } from "./blog/preview.ts";
import type { BookmarkPreview } from "./bookmarks/preview.ts";
import { numberOf } from "./choices.ts";
import { deleteChunks, expiredUpload, readChunks, storeChunk } from "./upload-chunks.ts";
import { READING_JOB, type RequestedImport, type Upload } from "./uploads.ts";

/**
 * The plan of an import is made once, when its file was read: pages show what is stored of it here, and the import itself decides
 * on each record again.
 */

/** Writes in a transaction of its own. */
export type Write = (work: (sql: Sql) => Promise<void>) => Promise<void>;

/** Stores what the page shows, for each choice, in place of an earlier plan. @param previews as JSON */
export async function storePreviews(write: Write, key: string, previews: string): Promise<void> {
  const stored = { key, part: "preview" } as const;
  await write(async (sql) => {
    await deleteChunks(sql, stored);
    for (const [number, preview] of (JSON.parse(previews) as (BookmarkPreview | BlogPreview)[]).entries())
      await storeChunk(sql, stored, number, Buffer.from(JSON.stringify(preview)));
  });
}

/** The stored preview of bookmarks for a choice; undefined when there is none. */
export async function findBookmarkPreview(
  sql: Sql,
  key: string,
  choice: RequestedImport,
): Promise<BookmarkPreview | undefined> {
  return (await findPreview(sql, key, numberOf(choice))) as BookmarkPreview | undefined;
}

/** The stored preview of a blog or an archive; undefined when there is none. */
export async function findBlogPreview(sql: Sql, key: string): Promise<BlogPreview | undefined> {
  return (await findPreview(sql, key, 0)) as BlogPreview | undefined;
}

async function findPreview(sql: Sql, key: string, number: number): Promise<unknown> {
  const [chunk] = await sql<{ bytes: Uint8Array }>`
    select bytes from import_pieces where key = ${key} and part = 'preview' and number = ${number}`;
  return chunk && JSON.parse(Buffer.from(chunk.bytes).toString());
}

/** Whether a file has its plan. */
export async function hasPreview(sql: Sql, key: string): Promise<boolean> {
  return (await findPreview(sql, key, 0)) !== undefined;
}

/** How long a response waits for a plan, in milliseconds, and how often it looks. */
const WAIT = { most: 1_000, every: 20 };

/**
 * Has the import of a file planned that was read before plans were stored, or of which a part was imported, and waits a moment.
 * @returns whether there is a plan now
 */
export async function awaitPreview(
  database: Pick<Database, "read" | "write" | "clock">,
  { key }: Pick<Upload, "key">,
  accountId: number | null,
  wakeReadings?: () => void,
): Promise<boolean> {
  if (await hasPreview(database.read, key)) return true;
  const now = database.clock.now();
  await database.write((sql) =>
    requestJob(sql, { kind: READING_JOB, key, payload: { accountId }, runAt: now }),
  );
  wakeReadings?.();
  const latest = performance.now() + timeLimit(WAIT.most);
  while (performance.now() < latest) {
    await sleep(WAIT.every);
    if (await hasPreview(database.read, key)) return true;
  }
  return false;
}

/** The report as a file. @throws Refusal `unavailable` when it is not there yet, `not_found` when it is gone */
export async function storedReport(
  { read }: Pick<Database, "read">,
  key: string,
): Promise<AsyncGenerator<string>> {
  const parts = await read<{ part: string }>`
    select part from import_pieces where key = ${key} and part in ('records', 'report') and number = 0`;
  if (parts.length === 0) throw expiredUpload();
  if (parts.some(({ part }) => part === "report")) return reportTexts(read, key);
  throw new Refusal("unavailable", "The report is not made yet. Open the preview of the file first.", {
    retryAfter: 10,
  });
}

async function* reportTexts(read: Sql, key: string): AsyncGenerator<string> {
  // A character may be divided between two chunks.
  const decoder = new TextDecoder();
  for await (const bytes of readChunks({ read }, { key, part: "report" }))
    yield decoder.decode(bytes, { stream: true });
}

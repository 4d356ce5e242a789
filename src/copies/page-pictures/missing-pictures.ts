import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { hasJob, requestJob } from "../../jobs/job-store.ts";

/** The kind of the job that reads the pages of links for their pictures, one row for all of them. */
export const PICTURES_JOB = "pictures";
const KEY = "missing";

/** What the job knows. */
export interface PicturesPayload {
  /** The id of the link that was dealt with last; they come by descending ids. */
  readonly before?: number;
  /** How many pages were read, and how many there were at the beginning. */
  readonly done: number;
  readonly total: number;
  /** How many sites in a row did not answer. */
  readonly silent?: number;
}

const MISSING = fragment`not exists (select 1 from page_pictures p where p.url = b.url)`;

/** How many pages were never read for their pictures; links to the same address are one. */
export async function countMissing(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(distinct url) as n from bookmarks b where ${MISSING}`;
  return Number(row?.n);
}

/** How many pages have a picture, as far as bookmarks lead there. */
export async function countPictures(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from page_pictures where sha256 is not null and unused_since is null`;
  return Number(row?.n);
}

/** The next link whose page is to be read. */
export async function nextMissing(
  sql: Sql,
  { before = Number.MAX_SAFE_INTEGER }: PicturesPayload,
): Promise<{ readonly id: number; readonly url: string } | undefined> {
  const [row] = await sql<{ id: number; url: string }>`
    select b.id, b.url from bookmarks b where b.id < ${before} and ${MISSING} order by b.id desc limit 1`;
  return row && { id: Number(row.id), url: row.url };
}

/** Requests the job, unless it waits or runs already. @param total how many pages are missing */
export async function requestPictures(sql: Sql, total: number, now: Date): Promise<void> {
  if (await hasJob(sql, PICTURES_JOB, KEY)) return;
  const payload = { done: 0, total } satisfies PicturesPayload;
  await requestJob(sql, { kind: PICTURES_JOB, key: KEY, payload, runAt: now });
}

/** How far the job is; undefined when there is none. */
export async function findProgress(sql: Sql): Promise<Pick<PicturesPayload, "done" | "total"> | undefined> {
  const [row] = await sql<{ payload: string }>`select payload from jobs where kind = ${PICTURES_JOB}`;
  return row && (JSON.parse(row.payload) as PicturesPayload);
}

/** Ends the job. The pictures kept so far stay. */
export async function stopPictures(sql: Sql): Promise<void> {
  await sql`delete from jobs where kind = ${PICTURES_JOB}`;
}

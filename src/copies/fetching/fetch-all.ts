import { inBatches } from "../../batches.ts";
import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { hasJob, requestJob } from "../../jobs/job-store.ts";
import { checkFetches, FETCH_JOB } from "./request-fetch.ts";

/**
 * The kind of the jobs that fetch the pages of many links, one row for all of them, with {@link FetchedLinks} as the key.
 * `missing`: links without a copy, but for those whose pages could not be kept. `failed`: these.
 */
export const FETCH_ALL_JOB = "copies";
export const FETCHED_LINKS = ["missing", "failed"] as const;
export type FetchedLinks = (typeof FETCHED_LINKS)[number];

/** What such a job knows. */
export interface FetchAllPayload {
  /** Who asked for the copies. */
  readonly account?: number;
  /** The id of the link that was dealt with last; they come by descending ids. */
  readonly before?: number;
  /** How many links were dealt with, and how many there were at the beginning. */
  readonly done: number;
  readonly total: number;
  /** How many sites in a row did not answer. */
  readonly silent?: number;
}

/**
 * Requests the job that fetches the pages of many links, unless it waits or runs already.
 * @returns of how many; 0 when there is nothing to fetch
 * @throws Refusal `unsupported_media_type` where the site keeps no copies
 */
export async function requestAll(
  sql: Sql,
  links: FetchedLinks,
  accountId: number | undefined,
  now: Date,
): Promise<number> {
  await checkFetches(sql);
  const total = await countLinks(sql, links);
  if (total === 0 || (await hasJob(sql, FETCH_ALL_JOB, links))) return total;
  const account = accountId !== undefined && { account: accountId };
  const payload = { ...account, done: 0, total } satisfies FetchAllPayload;
  await requestJob(sql, { kind: FETCH_ALL_JOB, key: links, payload, runAt: now });
  return total;
}

/** Links without a copy and without a known reason why there is none. */
const MISSING = fragment`
  not exists (select 1 from copies c where c.bookmark_id = b.id)
    and not exists (select 1 from copy_failures f where f.bookmark_id = b.id)`;

/** How many links have no copy, or pages that could not be kept. */
export async function countLinks(sql: Sql, links: FetchedLinks): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from bookmarks b where ${links === "missing" ? MISSING : FAILED}`;
  return Number(row?.n);
}

const FAILED = fragment`exists (select 1 from copy_failures f where f.bookmark_id = b.id)`;

/** The next link whose page is to be fetched. */
export async function nextLink(
  sql: Sql,
  links: FetchedLinks,
  { before = Number.MAX_SAFE_INTEGER }: FetchAllPayload,
): Promise<number | undefined> {
  const [row] =
    links === "missing"
      ? await sql<{ id: number }>`
          select b.id from bookmarks b where b.id < ${before} and ${MISSING}
            and not exists (select 1 from jobs j where j.kind = ${FETCH_JOB} and j.key = cast(b.id as text))
          order by b.id desc limit 1`
      : await sql<{ id: number }>`
          select f.bookmark_id as id from copy_failures f
          where f.bookmark_id < ${before}
            and exists (select 1 from bookmarks b where b.id = f.bookmark_id)
          order by f.bookmark_id desc limit 1`;
  return row && Number(row.id);
}

/** What waits to be fetched. */
export interface WaitingFetches {
  /** The number of pages, those of {@link all} included. */
  readonly count: number;
  /** The pages of many links, by which: how many are done, and of how many. */
  readonly all: Partial<Record<FetchedLinks, Pick<FetchAllPayload, "done" | "total">>>;
}

export async function waitingFetches(sql: Sql): Promise<WaitingFetches> {
  const [row] = await sql<{ n: number }>`select count(*) as n from jobs where kind = ${FETCH_JOB}`;
  const rows = await sql<{ key: FetchedLinks; payload: string }>`
    select key, payload from jobs where kind = ${FETCH_ALL_JOB}`;
  const all: WaitingFetches["all"] = Object.fromEntries(
    rows.map(({ key, payload }) => [key, JSON.parse(payload) as FetchAllPayload]),
  );
  const rest = Object.values(all).reduce((sum, { done, total }) => sum + Math.max(total - done, 0), 0);
  return { count: Number(row?.n) + rest, all };
}

/** Forgets all that waits to be fetched; a page that is being fetched is given up within seconds, if it is not kept before. */
export async function stopFetches(sql: Sql): Promise<void> {
  await sql`delete from jobs where kind = ${FETCH_JOB} or kind = ${FETCH_ALL_JOB}`;
}

/** Those of these links whose pages wait to be fetched, each by a request of its own. */
export async function waitingAmong(sql: Sql, bookmarkIds: readonly number[]): Promise<Set<number>> {
  const waiting = new Set<number>();
  for (const ids of inBatches(bookmarkIds, 100)) {
    const rows = await sql<{ id: number }>`
      select b.id from bookmarks b where b.id in ${ids}
        and exists (select 1 from jobs j where j.kind = ${FETCH_JOB} and j.key = cast(b.id as text))`;
    for (const { id } of rows) waiting.add(Number(id));
  }
  return waiting;
}

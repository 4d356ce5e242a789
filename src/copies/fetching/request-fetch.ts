import type { Awaitable } from "../../awaitable.ts";
import { type Sql, withoutResult } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { requestJob } from "../../jobs/job-store.ts";
import { readSite } from "../../web/site/site-store.ts";
import { PAGE_TYPES } from "../copy.ts";

/** The kind of the jobs that fetch the page of a bookmark; its id is the key. */
export const FETCH_JOB = "copy";

/** What such a job knows. */
export interface FetchPayload {
  /** Who asked for the copy. */
  readonly account?: number;
  /** When, in milliseconds since 1970: a copy that was fetched since is the one that was asked for. */
  readonly asked?: number;
  /** Whether nobody asked, but the link was added: then any copy will do, such as one that a browser has sent. */
  readonly added?: true;
  /** How often the site did not answer. */
  readonly attempts?: number;
}

/**
 * Requests the job that fetches the page of a bookmark, in the transaction after which it can run.
 * @throws Refusal `unsupported_media_type` where the site keeps no copies
 */
export async function requestFetch(
  sql: Sql,
  bookmarkId: number,
  accountId: number | undefined,
  now: Date,
): Promise<void> {
  await checkFetches(sql);
  const payload = { asked: now.getTime(), ...(accountId !== undefined && { account: accountId }) };
  await requestJob(sql, { kind: FETCH_JOB, key: String(bookmarkId), payload, runAt: now });
}

/**
 * Requests it for a link that was just added, if the site keeps what is added. One statement decides and requests, for which
 * PostgreSQL makes nobody wait.
 */
export function requestAdded(
  sql: Sql,
  bookmarkId: number,
  accountId: number | undefined,
  now: Date,
): Awaitable<unknown> {
  const payload = {
    added: true,
    ...(accountId !== undefined && { account: accountId }),
  } satisfies FetchPayload;
  return withoutResult(sql)`
    insert into jobs (kind, key, payload, requests, run_at, attempts, created_at)
    select ${FETCH_JOB}, ${String(bookmarkId)}, ${JSON.stringify(payload)}, 1, ${now}, 0, ${now} from site_settings
    where name = ${"keepCopies"} and value = ${'"added"'}
    on conflict (kind, key) do nothing`;
}

/** @throws Refusal `unsupported_media_type` where the site keeps no copies */
export async function checkFetches(sql: Sql): Promise<void> {
  if ((await readSite(sql)).keepCopies === "never")
    throw notFetched("By the settings of this site, the server fetches no pages for copies");
}

/** 415 where no page is fetched: it has to be sent. @param because a sentence without its full stop */
export function notFetched(because = "This server fetches no pages"): Refusal {
  return new Refusal("unsupported_media_type", `${because}: send the page's HTML.`, {
    headers: { accept: PAGE_TYPES.join(", ") },
  });
}

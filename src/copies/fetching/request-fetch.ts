import type { Sql } from "../../database/database.ts";
import { requestJob } from "../../jobs/job-store.ts";

/** The kind of the jobs that fetch the page of a bookmark; its id is the key. */
export const FETCH_JOB = "copy";

/** What such a job knows. */
export interface FetchPayload {
  /** Who asked for the copy. */
  readonly account?: number;
  /** When, in milliseconds since 1970: a copy that was fetched since is the one that was asked for. */
  readonly asked?: number;
  /** How often the site did not answer. */
  readonly attempts?: number;
}

/** Requests the job that fetches the page of a bookmark, in the transaction after which it can run. */
export function requestFetch(
  sql: Sql,
  bookmarkId: number,
  accountId: number | undefined,
  now: Date,
): Promise<void> {
  const payload: FetchPayload = {
    asked: now.getTime(),
    ...(accountId !== undefined && { account: accountId }),
  };
  return requestJob(sql, { kind: FETCH_JOB, key: String(bookmarkId), payload: { ...payload }, runAt: now });
}

import type { Instant, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";

/**
 * Why the page of a bookmark could not be kept, in the order of the page that lists them:
 * `sign-in`: it asks for one, or for money. `robots`: the site keeps programs out. `gone`: nothing is there any more.
 * `no-page`: something else than a web page or a PDF. `no-text`: nothing to read without scripts. `too-large`: more than is fetched.
 * `not-public`: at an address that is not of the public internet. `redirects`: from one address to the next without an end.
 * `unreachable`: the site did not answer, several times. `too-many`, `no-room`: the limits of copies.
 */
export const FAILURES = [
  "sign-in",
  "robots",
  "gone",
  "no-page",
  "no-text",
  "too-large",
  "not-public",
  "redirects",
  "unreachable",
  "too-many",
  "no-room",
] as const;
export type FailureReason = (typeof FAILURES)[number];

/** A page that cannot be kept, now or later. */
export class CopyFailure extends Error {
  override readonly name = "CopyFailure";
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(`The page cannot be kept: ${reason}.`);
    this.reason = reason;
  }
}

/** Remembers that the page of a bookmark could not be kept, unless the bookmark is gone. @param asked unless its URL is another by now */
export async function storeFailure(
  sql: Sql,
  bookmarkId: number,
  reason: FailureReason,
  now: Date,
  asked?: string,
): Promise<void> {
  const [found] = await sql<{ url: string }>`
    update bookmarks set version = version where id = ${bookmarkId} returning url`;
  if (found === undefined || (asked ?? found.url) !== found.url) return;
  await sql`
    insert into copy_failures (bookmark_id, failed_at, reason) values (${bookmarkId}, ${now}, ${reason})
    on conflict (bookmark_id) do update set failed_at = excluded.failed_at, reason = excluded.reason`;
}

/** Why the page of a bookmark could not be kept the last time; undefined when it was kept since, or nobody has asked. */
export async function findFailure(sql: Sql, bookmarkId: number): Promise<FailureReason | undefined> {
  const [row] = await sql<{ reason: FailureReason }>`
    select reason from copy_failures where bookmark_id = ${bookmarkId}`;
  return row?.reason;
}

/** A page that could not be kept, with its link. */
export interface FailedPage {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly failedAt: Date;
  readonly reason: FailureReason;
}

/** A place in the list of failures. */
export interface FailurePosition {
  readonly failedAt: Date;
  readonly id: number;
}

/** The failures before a place, the newest first. Those of links that were removed are left out. */
export async function listFailures(
  sql: Sql,
  limit: number,
  before: FailurePosition | undefined,
): Promise<FailedPage[]> {
  const further =
    before === undefined
      ? fragment``
      : fragment`where f.failed_at < ${before.failedAt} or (f.failed_at = ${before.failedAt} and f.bookmark_id < ${before.id})`;
  const rows = await sql<Omit<FailedPage, "failedAt"> & { failed_at: Instant }>`
    select b.id, b.title, b.url, f.failed_at, f.reason
    from copy_failures f join bookmarks b on b.id = f.bookmark_id ${further}
    order by f.failed_at desc, f.bookmark_id desc limit ${limit}`;
  return rows.map(({ id, failed_at, ...row }) => ({ ...row, id: Number(id), failedAt: new Date(failed_at) }));
}

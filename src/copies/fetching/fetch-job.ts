import { findBookmark } from "../../bookmarks/bookmark-store.ts";
import { acceptedLanguages } from "../../bookmarks/capture/fetch-page-details.ts";
import { isHtml } from "../../bookmarks/capture/media-type.ts";
import type { ReadPage } from "../../bookmarks/site-icons/keep-site-icon.ts";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { JobKind } from "../../jobs/job-runner.ts";
import { type LeasedJob, requestNextRun } from "../../jobs/job-store.ts";
import { FetchError, type Network } from "../../outbound/fetch-public.ts";
import { readSite } from "../../web/site/site-store.ts";
import type { ExtractedPage } from "../extraction/extract-page.ts";
import { ExtractionError } from "../extraction/extraction-error.ts";
import type { Extractor } from "../extraction/extraction-process.ts";
import type { CopyKeeper } from "../keep-copy.ts";
import { keepPagePicture, type PicturePlaces, pictureAt } from "../page-pictures/keep-page-picture.ts";
import { CopyFailure, type FailureReason, storeFailure } from "./copy-failure.ts";
import { type FetchedOriginal, fetchOriginal, fetchPictures, LaterError } from "./fetch-page.ts";
import type { HostPace } from "./host-pace.ts";
import type { FetchPayload } from "./request-fetch.ts";

/** How often a site that does not answer is asked, and the wait after the first time, doubled by each one more, in milliseconds. */
const ATTEMPTS = 5;
const FIRST_WAIT = 30_000;
/** The longest wait that a site can ask for. */
const WAIT_MAX = 24 * 60 * 60 * 1_000;

/** What fetching needs. */
export interface FetchingParts extends PicturePlaces {
  readonly network: Network;
  readonly keeper: CopyKeeper;
  readonly extractor: Pick<Extractor, "extract">;
  readonly pace: HostPace;
  /** The language in which pages are asked for, as BCP 47 names it. */
  readonly language: () => Promise<string>;
}

/** The job that fetches the page of a bookmark and keeps a copy. */
export function fetchJob(parts: FetchingParts): JobKind {
  return {
    async run(job, signal) {
      const { database } = parts;
      const payload = job.payload as FetchPayload;
      const bookmarkId = Number(job.key);
      // Chosen since it was requested.
      if ((await readSite(database.read)).keepCopies === "never") return;
      const outcome = await keepFetched(parts, bookmarkId, payload, signal);
      if (typeof outcome === "object") await tryLater(database, job, payload, outcome.later);
    },
  };
}

/** A site that did not answer is asked again, and given up after some attempts. @param wait at least, in milliseconds */
async function tryLater(
  database: Database,
  job: LeasedJob,
  payload: FetchPayload,
  wait: number,
): Promise<void> {
  const { attempts = 0 } = payload;
  const now = database.clock.now();
  await database.write((sql) =>
    attempts + 1 < ATTEMPTS
      ? requestNextRun(
          sql,
          job,
          { ...payload, attempts: attempts + 1 },
          new Date(now.getTime() + Math.max(FIRST_WAIT * 2 ** attempts, wait)),
        )
      : storeFailure(sql, Number(job.key), "unreachable", now),
  );
}

/**
 * Fetches the page of a bookmark and keeps it; why it cannot be kept is stored.
 * @returns `kept`, the reason of the failure, or, when the site did not answer, how long it wants to be left alone, in
 *   milliseconds; nothing is stored then
 * @throws Refusal `unavailable` when the store of MEDIA is away; the reason of the signal
 */
export async function keepFetched(
  parts: FetchingParts,
  bookmarkId: number,
  { account, asked, added }: FetchPayload,
  signal: AbortSignal,
): Promise<"kept" | FailureReason | { readonly later: number }> {
  const { database, keeper, network, pace } = parts;
  const bookmark = await findBookmark(database.read, bookmarkId);
  if (bookmark === undefined) return "gone";
  // Of a run that was ended before it could say so.
  if (asked !== undefined && (await wasFetched(database.read, bookmarkId, new Date(asked)))) return "kept";
  if (added && (await hasCopy(database.read, bookmarkId))) return "kept";
  try {
    await keeper.check(bookmarkId, 0);
    const languages = acceptedLanguages(await parts.language());
    await pace.wait(new URL(bookmark.url).host, signal);
    const original = await fetchOriginal(bookmark.url, network, { languages, signal });
    const page = await extracted(parts.extractor, original, signal);
    const pictures = page && (await fetchPictures(page, original.url, network, signal));
    const { url, pictures: named, ...sent } = original;
    await keepPicture(parts, { asked: bookmark.url, pictures: named }, new URL(url), signal);
    await keeper.keep(bookmarkId, { origin: "fetched", url, original: sent, page, pictures }, account);
    return "kept";
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchError)
      return { later: error instanceof LaterError ? waitOf(error.retryAfter, database.clock.now()) : 0 };
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const now = database.clock.now();
    await database.write((sql) => storeFailure(sql, bookmarkId, reason, now, bookmark.url));
    return reason;
  }
}

/** Keeps the picture that a page names for itself; without it, that of its text is kept with the copy. */
async function keepPicture(
  parts: FetchingParts,
  page: Pick<ReadPage, "asked" | "pictures">,
  at: URL,
  signal: AbortSignal,
): Promise<void> {
  try {
    await keepPagePicture(parts, page, (url) => pictureAt(url, at, parts.network, signal));
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
  }
}

/** The milliseconds of a header `Retry-After`: seconds, or an instant. */
function waitOf(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0;
  const wait = /^\s*\d+\s*$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(wait) ? 0 : Math.min(wait, WAIT_MAX);
}

async function wasFetched(sql: Sql, bookmarkId: number, since: Date): Promise<boolean> {
  const found = await sql`
    select 1 from copies where bookmark_id = ${bookmarkId} and origin = ${"fetched"} and taken_at >= ${since} limit 1`;
  return found.length > 0;
}

async function hasCopy(sql: Sql, bookmarkId: number): Promise<boolean> {
  return (await sql`select 1 from copies where bookmark_id = ${bookmarkId} limit 1`).length > 0;
}

/** The text of a page; undefined for a PDF, and for a page that is too much: their originals are kept. */
async function extracted(
  extractor: Pick<Extractor, "extract">,
  { bytes, url, type }: FetchedOriginal,
  signal: AbortSignal,
): Promise<ExtractedPage | undefined> {
  if (!isHtml(type)) return undefined;
  try {
    const page = await extractor.extract(bytes, url, type, signal);
    if (isShell(page, bytes)) throw new CopyFailure("no-text");
    return page;
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    if (error.code === "empty") throw new CopyFailure("no-text");
    if (error.code === "not-html") throw new CopyFailure("no-page");
    return undefined;
  }
}

/** The words of a page that waits for its scripts, such as "Loading". */
const SHELL_WORDS = 20;

/** Whether a page consists of scripts, and of a few words for the time until they have made it. */
function isShell({ isArticle, pictures, words }: ExtractedPage, bytes: Uint8Array): boolean {
  if (isArticle || pictures.length > 0 || words > SHELL_WORDS) return false;
  return /<script\b/i.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

function reasonOf(error: unknown): FailureReason | undefined {
  if (error instanceof CopyFailure) return error.reason;
  if (!(error instanceof Refusal)) return undefined;
  if (error.reason === "conflict") return "too-many";
  if (error.reason === "storage_full") return "no-room";
  if (error.reason === "too_large") return "too-large";
  // The bookmark went meanwhile: nothing is stored of it.
  return error.reason === "not_found" ? "gone" : undefined;
}

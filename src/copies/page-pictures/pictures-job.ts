import { findBookmarks } from "../../bookmarks/bookmark-store.ts";
import { writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import { readPage } from "../../bookmarks/capture/fetch-page-details.ts";
import { findOfPage } from "../../bookmarks/search/bookmark-of-url.ts";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { JobKind } from "../../jobs/job-runner.ts";
import { holdLease, LeaseLost, requestNextRun } from "../../jobs/job-store.ts";
import { FetchError, type Network, TooManyFetches } from "../../outbound/fetch-public.ts";
import type { HostPace } from "../fetching/host-pace.ts";
import { keepPagePicture, type PicturePlaces, pictureAt } from "./keep-page-picture.ts";
import { nextMissing, type PicturesPayload } from "./missing-pictures.ts";
import { findKnown, storePicture } from "./page-picture-store.ts";

/** How many sites in a row do not answer before the job waits: then it is rather this server that is cut off. */
const SILENT_MAX = 5;
/** How long it waits then, in milliseconds. */
const PAUSE = 600_000;
/** How often one page may break the job, such as by ending the process. */
const ATTEMPTS = 3;

/** What the job needs. */
export interface PicturesParts extends PicturePlaces {
  readonly network: Network;
  readonly pace: HostPace;
  /** The language in which pages are asked for, as BCP 47 names it. */
  readonly language: () => Promise<string>;
}

/**
 * The job that reads the pages of all links that were never read, for their pictures, and for the titles of links without one. A
 * run deals with one link and requests the next run, so that a restart goes on with it, and *Stop* is to delete the job.
 */
export function picturesJob(parts: PicturesParts): JobKind {
  return {
    async run(job, signal) {
      const { database } = parts;
      const payload = job.payload as unknown as PicturesPayload;
      const next = await nextMissing(database.read, payload);
      if (next === undefined) return;
      const outcome = job.attempts > ATTEMPTS ? "read" : await readOne(parts, next.url, signal);
      // Without room, the others get none, too.
      if (outcome === "no-room") return;
      const now = database.clock.now();
      const later = new Date(now.getTime() + PAUSE);
      const silent = outcome === "read" ? 0 : (payload.silent ?? 0) + 1;
      try {
        await database.write(async (sql) => {
          await holdLease(sql, job);
          if (outcome === "unavailable") return requestNextRun(sql, job, { ...payload }, later);
          // So that the page is not asked again when somebody starts the job once more; one that is silent is.
          if (outcome === "read" && (await findKnown(sql, next.url)) === undefined)
            await storePicture(sql, next.url, { picture: undefined, isPublic: true, readAt: now }, now);
          const following = { ...payload, before: next.id, done: payload.done + 1, silent };
          await requestNextRun(sql, job, following, silent >= SILENT_MAX ? later : now);
        });
      } catch (error) {
        // Stopped, while this page was being read.
        if (!(error instanceof LeaseLost)) throw error;
      }
    },
  };
}

/**
 * Reads the page of a link.
 * @returns `silent` when its site does not answer, `unavailable` when the store of MEDIA is away, or this server is busy, `no-room`
 *   when the disk has none
 */
async function readOne(
  parts: PicturesParts,
  url: string,
  signal: AbortSignal,
): Promise<"read" | "silent" | "unavailable" | "no-room"> {
  const { database, network, pace } = parts;
  try {
    await pace.wait(new URL(url).host, signal);
    const found = await readPage(url, network, await parts.language(), signal);
    const { page } = found ?? {};
    if (page !== undefined)
      await keepPagePicture(parts, { asked: url, pictures: page.pictures }, async (picture) => {
        await pace.wait(picture.host, signal);
        return pictureAt(picture, page.url, network, signal);
      });
    const title = found?.details.title ?? "";
    if (title !== "") await nameBookmarks(database, url, title);
    return "read";
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TooManyFetches) return "unavailable";
    if (error instanceof Refusal && error.reason === "unavailable") return "unavailable";
    if (error instanceof Refusal && error.reason === "storage_full") return "no-room";
    if (error instanceof FetchError) return error.lasting === undefined ? "silent" : "read";
    throw error;
  }
}

/** Gives bookmarks of a page that have no title of their own that of the page. */
async function nameBookmarks(database: Database, url: string, title: string): Promise<void> {
  await writeBookmarks(database, database.clock.now(), async (writer, sql) => {
    const { ids } = await findOfPage(sql, url);
    for (const bookmark of (await findBookmarks(sql, ids)).values()) {
      // A program that found no title may have sent the address.
      const isUnnamed = bookmark.title === "" || bookmark.title === url;
      const { description } = bookmark;
      if (bookmark.url === url && isUnnamed) await writer.update(bookmark, { title, url, description });
    }
  });
}

import { Refusal } from "../../errors.ts";
import type { JobKind } from "../../jobs/job-runner.ts";
import { holdLease, LeaseLost, requestNextRun } from "../../jobs/job-store.ts";
import { readSite } from "../../web/site/site-store.ts";
import { storeFailure } from "./copy-failure.ts";
import { type FetchAllPayload, type FetchedLinks, nextLink } from "./fetch-all.ts";
import { type FetchingParts, keepFetched } from "./fetch-job.ts";

/** How many sites in a row do not answer before the job waits: then it is rather this server that is cut off. */
const SILENT_MAX = 5;
/** How long it waits then, in milliseconds. */
const PAUSE = 600_000;
/** How often the page of one link may break the job, such as by ending the process. */
const ATTEMPTS = 3;

/**
 * The job that fetches the pages of many links. A run deals with one link and requests the next run, so that a restart goes on
 * with it, and *Stop* is to delete the job. What does not answer is a failure at once: *Try all again* asks for it later.
 */
export function fetchAllJob(parts: FetchingParts): JobKind {
  return {
    async run(job, signal) {
      const { database } = parts;
      const payload = job.payload as unknown as FetchAllPayload;
      const { account, done, silent = 0 } = payload;
      if ((await readSite(database.read)).keepCopies === "never") return;
      const id = await nextLink(database.read, job.key as FetchedLinks, payload);
      if (id === undefined) return;
      let outcome: Awaited<ReturnType<typeof keepFetched>> | "unavailable" = "unreachable";
      try {
        if (job.attempts <= ATTEMPTS)
          outcome = await keepFetched(parts, id, { ...(account !== undefined && { account }) }, signal);
      } catch (error) {
        if (!(error instanceof Refusal && error.reason === "unavailable")) throw error;
        // The store of MEDIA is away, for which no page is at fault.
        outcome = "unavailable";
      }
      // Without room, the others fail, too.
      if (outcome === "no-room") return;
      const now = database.clock.now();
      const isSilent = typeof outcome === "object";
      const silentNow = isSilent ? silent + 1 : 0;
      const later = new Date(now.getTime() + PAUSE);
      try {
        await database.write(async (sql) => {
          await holdLease(sql, job);
          if (outcome === "unavailable") return requestNextRun(sql, job, { ...payload }, later);
          if (isSilent || outcome === "unreachable") await storeFailure(sql, id, "unreachable", now);
          const next = {
            ...payload,
            before: id,
            done: done + 1,
            silent: silentNow,
          } satisfies FetchAllPayload;
          await requestNextRun(sql, job, next, silentNow >= SILENT_MAX ? later : now);
        });
      } catch (error) {
        // Stopped, while this page was being fetched.
        if (!(error instanceof LeaseLost)) throw error;
      }
    },
  };
}

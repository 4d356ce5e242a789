import { purgeSessions } from "../accounts/sign-in/session-store.ts";
import { purgeFailures } from "../accounts/sign-in/sign-in-throttle.ts";
import { purgeChanges } from "../changes/change-store.ts";
import type { Config } from "../config/config.ts";
import { configuredObjects } from "../config/configured-objects.ts";
import { CopyRoom } from "../copies/copy-room.ts";
import { Extractor } from "../copies/extraction/extraction-process.ts";
import { FETCH_ALL_JOB } from "../copies/fetching/fetch-all.ts";
import type { FetchingParts } from "../copies/fetching/fetch-job.ts";
import { HostPace } from "../copies/fetching/host-pace.ts";
import { FETCH_JOB } from "../copies/fetching/request-fetch.ts";
import { CopyKeeper } from "../copies/keep-copy.ts";
import { PICTURES_JOB } from "../copies/page-pictures/missing-pictures.ts";
import type { Database, Sql } from "../database/database.ts";
import { purgeIdempotencyKeys } from "../http/idempotency.ts";
import { IMPORT_JOB, purgeUploads, READING_JOB, SMALL_READING_JOB } from "../imports/uploads.ts";
import { indexedCollections } from "../indexed-collections.ts";
import type { JobKind, JobKinds } from "../jobs/job-runner.ts";
import { type MediaPlaces, removeUnusedObject } from "../media/place-images.ts";
import { nouns } from "../nouns.ts";
import { publicInternet } from "../outbound/fetch-public.ts";
import { purgeCodes } from "../protocols/indieauth/code-store.ts";
import { INDEX_JOB, indexWaiting } from "../search/index/entries.ts";
import { purgeImports } from "../transfer/import/recorded-imports.ts";
import { readSite } from "../web/site/site-store.ts";

const HOUR = 60 * 60 * 1000;

/** Rows of one transaction of a purge: few, so that requests do not wait for it. */
const BATCH = 500;

/** Every kind of job but {@link readingKinds} and {@link copyKinds}, by its name in the database. The importers are loaded on demand: a start needs none. */
export function jobKinds(config: Config, database: Database): JobKinds {
  const places = { database, objects: configuredObjects(config) };
  // An extractor of its own: who sends a page does not wait for the texts of an import.
  const texts = {
    keeper: new CopyKeeper({ ...places, room: new CopyRoom(database, config.copiesMax) }),
    extractor: new Extractor(),
  };
  const network = config.fetchPages === "on" ? publicInternet(config.publicUrl) : undefined;
  return {
    [IMPORT_JOB]: {
      async run(job, signal) {
        const { runImport } = await import("../imports/import-job.ts");
        await runImport({ ...places, texts, bookmarksAccess: config.bookmarksAccess }, job, signal, network);
      },
    },
    [INDEX_JOB]: {
      async run({ key }, signal) {
        const collection = indexedCollections.find(({ name }) => name === key);
        if (collection !== undefined) await indexWaiting(database, collection, { signal });
      },
    },
    purge: { every: HOUR, run: (_job, signal) => purge(config, places, signal) },
  };
}

/**
 * The jobs that a person waits for after choosing a file, each with a runner of its own, so that no import delays them, and no
 * large file a small one.
 */
export function readingKinds(database: Database): readonly JobKinds[] {
  const reading: JobKind = {
    async run(job, signal) {
      const { runReading } = await import("../imports/reading-job.ts");
      await runReading(database, job, signal);
    },
  };
  return [{ [READING_JOB]: reading }, { [SMALL_READING_JOB]: reading }];
}

/**
 * The jobs that fetch pages for copies and for pictures, each with a runner of its own: a slow site holds up nothing else, and the
 * copies of all links no single one. They share the pace of hosts. None where no pages are fetched.
 */
export function copyKinds(config: Config, database: Database): readonly JobKinds[] {
  if (config.fetchPages !== "on" || !config.services.includes("bookmarks")) return [];
  const places = {
    ...{ database, objects: configuredObjects(config) },
    room: new CopyRoom(database, config.copiesMax),
  };
  const parts: FetchingParts = {
    ...places,
    network: publicInternet(config.publicUrl),
    keeper: new CopyKeeper(places),
    pace: new HostPace(),
    // Not that of pages which are sent: who sends one does not wait for those that are fetched.
    extractor: new Extractor(),
    language: async () => (await readSite(database.read)).language,
  };
  const one: JobKind = {
    async run(job, signal) {
      const { fetchJob } = await import("../copies/fetching/fetch-job.ts");
      await fetchJob(parts).run(job, signal);
    },
  };
  const all: JobKind = {
    async run(job, signal) {
      const { fetchAllJob } = await import("../copies/fetching/fetch-all-job.ts");
      await fetchAllJob(parts).run(job, signal);
    },
  };
  // Beside copies of all links: a slow site would hold up these or those for hours.
  const pictures: JobKind = {
    async run(job, signal) {
      const { picturesJob } = await import("../copies/page-pictures/pictures-job.ts");
      await picturesJob(parts).run(job, signal);
    },
  };
  return [{ [FETCH_JOB]: one }, { [FETCH_ALL_JOB]: all }, { [PICTURES_JOB]: pictures }];
}

/** Deletes expired records of every kind. All of them are ignored from the instant at which they expire. */
async function purge({ sessionMax }: Config, places: MediaPlaces, signal: AbortSignal): Promise<void> {
  const { database } = places;
  const now = database.clock.now();
  const inTransaction = (work: (sql: Sql) => Promise<number>) => () => database.write(work);
  const purges = [
    inTransaction((sql) => purgeIdempotencyKeys(sql, now, BATCH)),
    inTransaction((sql) => purgeSessions(sql, new Date(now.getTime() - sessionMax), BATCH)),
    inTransaction((sql) => purgeCodes(sql, now, BATCH)),
    // Before the changes, which removed posts and their images are named in.
    ...nouns
      .flatMap((noun) => noun.purge?.bind(noun) ?? [])
      .map((purge) => inTransaction((sql) => purge(sql, now, BATCH))),
    inTransaction((sql) => purgeChanges(sql, now, BATCH / 50)),
    inTransaction((sql) => purgeUploads(sql, now, BATCH / 50)),
    inTransaction((sql) => purgeImports(sql, now, BATCH)),
    () => purgeFailures(database, now, BATCH / 10),
    // Last: the store may be out of reach.
    () => removeUnusedObject(places),
  ];
  for (const deleteBatch of purges) while ((await deleteBatch()) > 0) signal.throwIfAborted();
}

import { createApp } from "../../app/app.ts";
import { DamageWatch } from "../../app/damage-watch.ts";
import { copyKinds, jobKinds, readingKinds } from "../../app/job-kinds.ts";
import { leaveToOthers, recountAfterOthers } from "../../checks/recount.ts";
import { type Clock, SYSTEM_CLOCK } from "../../clock.ts";
import { type Config, openOptionsFrom } from "../../config/config.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { LoadShedder } from "../../http/guards/load-shedding.ts";
import { listen } from "../../http/server.ts";
import { removeStaleSocket, socketPathOf } from "../../http/unix-socket.ts";
import { indexedCollections } from "../../indexed-collections.ts";
import { type JobKinds, JobRunner } from "../../jobs/job-runner.ts";
import type { Log } from "../../log.ts";
import type { Network } from "../../outbound/fetch-public.ts";
import { countWaiting, ensureEntries, requestIndexing } from "../../search/index/entries.ts";
import { isWorker, workerNumber } from "../../workers.ts";

/** Grace period for requests in flight at the shutdown, in milliseconds. */
const SHUTDOWN_GRACE = 5_000;

/** The service of one process: it accepts requests and runs jobs. */
export interface RunningService {
  readonly port: number;
  readonly database: Database;
  /**
   * Is no longer ready, but serves for `delay` milliseconds more; then finishes the requests in flight and closes the
   * database.
   */
  stop(delay?: number): Promise<void>;
}

export interface ServiceOptions {
  /** Called when requests are accepted, before jobs start. */
  readonly onListening?: () => void;
  /** The machine's by default; another one is for tests. */
  readonly clock?: Clock;
  /** The internet by default; another one is for tests. */
  readonly network?: Network;
}

/**
 * @throws StartError when the database cannot be opened or the address cannot be listened on
 */
export async function startService(
  config: Config,
  log: Log,
  { onListening = () => {}, clock = SYSTEM_CLOCK, network }: ServiceOptions = {},
): Promise<RunningService> {
  // Where they are off, their modules are not even loaded.
  const metrics = config.metricsPort && new (await import("../../metrics/metrics.ts")).Metrics();
  const damage = new DamageWatch(log, () => jobs.wake());
  const database = await openDatabase(config.databaseUrl, {
    ...openOptionsFrom(config),
    onDamage: (error) => damage.found(error),
    clock,
    observer: metrics?.database,
    log,
    servesRequests: true,
  });
  damage.watch(database);
  const obstacle = database.obstacle();
  if (obstacle !== undefined) log.warn(obstacle.message);
  const load = new LoadShedder();
  const runnerOf = (kinds: JobKinds) => new JobRunner({ database, kinds, log, observer: metrics?.jobs });
  const jobs = runnerOf(jobKinds(config, database));
  const readings = readingKinds(database).map(runnerOf);
  const copies = copyKinds(config, database).map(runnerOf);
  const runners = [jobs, ...readings, ...copies];
  const wakeJobs = () => jobs.wake();
  const wakeReadings = () => {
    for (const runner of readings) runner.wake();
  };
  const wakeCopies = () => {
    for (const runner of copies) runner.wake();
  };
  let isLeaving = false;
  const handle = createApp({
    ...{ config, database, log, load, observers: metrics, wakeJobs, wakeReadings },
    ...{ wakeCopies, network },
    isLeaving: () => isLeaving,
  });
  const socket = socketPathOf(config.host);
  if (socket !== undefined) await removeStaleSocket(socket);
  const server = listen(handle, { ...config, log, shared: isWorker() });
  onListening();
  if (metrics && config.metricsPort) {
    metrics.watch({ database, server, load, log, damage });
    const { listenForMetrics } = await import("../../metrics/listener.ts");
    const { host, port } = config.metricsPort;
    listenForMetrics({
      // Each worker has its own port; while one is being replaced, the old one still listens.
      ...{ host, port: port + workerNumber(), log, shared: isWorker() },
      text: () => metrics.text(),
    });
  }
  const recounting = config.readOnly === "on" ? undefined : startWork();
  return {
    port: server.port,
    database,
    async stop(delay = 0) {
      isLeaving = delay > 0;
      await Promise.all([
        server.stop(SHUTDOWN_GRACE, delay),
        ...runners.map((runner) => runner.stop(SHUTDOWN_GRACE)),
      ]);
      await Promise.all([recounting, damage.ended()]);
      await leaveToOthers(database).catch(() => {});
      await database.close();
    },
  };

  /** What is done beside the requests. @returns when totals are counted again, after which the database may be closed */
  function startWork(): Promise<void> {
    for (const runner of runners) runner.start();
    requestUnfinishedIndexing(database, wakeJobs).catch((error) =>
      log.error("The search index is not complete.", error),
    );
    return recountAfterOthers(database, log).catch((error) =>
      log.error("Totals could not be counted again after the writes of another version.", error),
    );
  }
}

/** After an upgrade that changes the index, its entries wait for a job, which nothing else requests. */
async function requestUnfinishedIndexing(database: Database, wakeJobs: () => void): Promise<void> {
  await ensureEntries(database);
  for (const collection of indexedCollections)
    if ((await countWaiting(database.read, collection)) > 0) {
      await database.write((sql) => requestIndexing(sql, collection));
      wakeJobs();
    }
}

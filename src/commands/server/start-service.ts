import { createApp } from "../../app/app.ts";
import { jobKinds } from "../../app/job-kinds.ts";
import { type Config, openOptionsFrom } from "../../config/config.ts";
import type { Database } from "../../database/database.ts";
import { withQueueEstimates } from "../../database/load/estimate-queues.ts";
import { openDatabase } from "../../database/open.ts";
import { LoadShedder } from "../../http/guards/load-shedding.ts";
import { listen } from "../../http/server.ts";
import { createIndexer } from "../../indexer.ts";
import { JobRunner } from "../../jobs/job-runner.ts";
import type { Log } from "../../log.ts";
import { assignMissingSlugs } from "../../posts/publication/make-slugs.ts";
import { isWorker } from "../../workers.ts";
import { newMetrics, publish } from "./serve-metrics.ts";

/** Grace period for requests in flight at the shutdown, in milliseconds. */
const SHUTDOWN_GRACE = 5_000;

/** The service of one process: it accepts requests, runs jobs and updates the index. */
export interface RunningService {
  readonly port: number;
  readonly database: Database;
  /** Finishes the requests in flight and closes the database. */
  stop(): Promise<void>;
}

/**
 * @param onListening called when requests are accepted, before everything is loaded
 * @throws StartError when the database cannot be opened or the address cannot be listened on
 */
export async function startService(
  config: Config,
  log: Log,
  onListening: () => void = () => {},
): Promise<RunningService> {
  const metrics = await newMetrics(config);
  const { database, queues } = withQueueEstimates(
    await openDatabase(config.databaseUrl, {
      ...openOptionsFrom(config),
      observer: metrics?.database,
      log,
      isServed: true,
      sharesReadLock: !isWorker(),
    }),
    { connections: config.databasePoolSize, minAdmitted: config.alwaysServed },
  );
  const load = new LoadShedder(queues, config.alwaysServed);
  const indexer = createIndexer(database, log);
  const jobs = new JobRunner({ database, kinds: jobKinds(config, database), log, observer: metrics?.jobs });
  const wakeJobs = () => jobs.wake();
  const app = createApp({ config, database, log, load, observers: metrics, indexer, wakeJobs });
  const server = listen(app.handle, { ...config, log, shared: isWorker() });
  onListening();
  await app.load();
  await publish(metrics, { config, database, server, load, log, indexer });
  jobs.start();
  indexer.start();
  if (config.services.includes("posts"))
    assignMissingSlugs(database).catch((error) => log.error("Some posts have no slug yet.", error));
  return {
    port: server.port,
    database,
    async stop() {
      await Promise.all([server.stop(SHUTDOWN_GRACE), jobs.stop(SHUTDOWN_GRACE), indexer.stop()]);
      await database.close();
    },
  };
}

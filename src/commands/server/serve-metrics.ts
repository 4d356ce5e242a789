import type { Config } from "../../config/config.ts";
import type { Database } from "../../database/database.ts";
import type { LoadShedder } from "../../http/guards/load-shedding.ts";
import type { Server } from "../../http/server.ts";
import type { Log } from "../../log.ts";
import type { Metrics } from "../../metrics/metrics.ts";
import type { Indexer } from "../../search/index/indexer.ts";
import { isWorker, sendMetrics, type WorkerWatcher } from "../../workers.ts";

/** The metrics of this process; when off, their modules are not even loaded. */
export async function newMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === 0) return undefined;
  const { Metrics } = await import("../../metrics/metrics.ts");
  return new Metrics();
}

interface Running {
  readonly config: Config;
  readonly database: Database;
  readonly server: Server;
  readonly load: LoadShedder;
  readonly log: Log;
  readonly indexer: Indexer;
}

/**
 * Publishes the metrics on their port; a worker sends them to its supervisor instead.
 * @throws StartError when their address cannot be listened on
 */
export async function publish(metrics: Metrics | undefined, running: Running): Promise<void> {
  if (metrics === undefined) return;
  metrics.watch(running);
  const { config, log } = running;
  if (isWorker())
    sendMetrics(
      () => metrics.snapshot(),
      (error) => log.error("Could not collect the metrics.", error),
    );
  else await listenForMetrics(config, log, () => metrics.text());
}

/**
 * Publishes the sum of all workers' metrics.
 * @throws StartError as {@link publish}
 */
export async function gatherMetrics(config: Config, log: Log): Promise<WorkerWatcher | undefined> {
  if (config.metricsPort === 0) return undefined;
  const { GatheredMetrics } = await import("../../metrics/gathered-metrics.ts");
  const gathered = new GatheredMetrics();
  await listenForMetrics(config, log, () => gathered.text());
  return gathered;
}

/** Listens until the process ends, also during the shutdown. */
async function listenForMetrics(
  { metricsHost: host, metricsPort: port }: Config,
  log: Log,
  text: () => Promise<string>,
): Promise<void> {
  const { listenForMetrics } = await import("../../metrics/listener.ts");
  listenForMetrics({ host, port, log, text });
}

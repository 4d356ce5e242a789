import type { Config } from "../../config/config.ts";
import type { Database } from "../../database/database.ts";
import type { LoadShedder } from "../../http/guards/load-shedding.ts";
import type { Server } from "../../http/server.ts";
import type { Log } from "../../log.ts";
import type { Metrics } from "../../metrics/metrics.ts";
import { isWorker, workerNumber } from "../../workers.ts";

/** The metrics of this process; when off, their modules are not even loaded. */
export async function newMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { Metrics } = await import("../../metrics/metrics.ts");
  return new Metrics();
}

interface Running {
  readonly config: Config;
  readonly database: Database;
  readonly server: Server;
  readonly load: LoadShedder;
  readonly log: Log;
}

/**
 * Publishes the metrics of this process until it ends, also during the shutdown. Each worker has a port of its own.
 * @throws StartError when their address cannot be listened on
 */
export async function publish(metrics: Metrics | undefined, running: Running): Promise<void> {
  const { config, log } = running;
  if (metrics === undefined || config.metricsPort === undefined) return;
  metrics.watch(running);
  const { listenForMetrics } = await import("../../metrics/listener.ts");
  const { host, port } = config.metricsPort;
  listenForMetrics({
    ...{ host, port: port + workerNumber(), log },
    // While a worker is being replaced, the old one still listens.
    shared: isWorker(),
    text: () => metrics.text(),
  });
}

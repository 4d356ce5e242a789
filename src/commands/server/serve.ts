import { Command, Option } from "commander";
import { createApp } from "../../app.ts";
import {
  type Config,
  flagName,
  openOptionsFrom,
  SETTING_GROUPS,
  type SettingKey,
  settingKeys,
  settings,
  variableName,
} from "../../config.ts";
import { withQueueEstimates } from "../../database/load/estimate-queues.ts";
import { openDatabase } from "../../database/open.ts";
import { LoadShedder } from "../../http/guards/load-shedding.ts";
import { freePort, listen } from "../../http/server.ts";
import { createIndexer } from "../../indexer.ts";
import { jobKinds } from "../../job-kinds.ts";
import { JobRunner } from "../../jobs/job-runner.ts";
import { Log } from "../../log.ts";
import { assignMissingSlugs } from "../../posts/publication/make-slugs.ts";
import { readConfig } from "../../read-config.ts";
import { onStopSignal } from "../../signals.ts";
import { isWorker, notifyListening, superviseWorkers, supervisorExited } from "../../workers.ts";
import { announce, readProgress } from "./announce.ts";
import { EVERY_ADDRESS } from "./lan.ts";
import { gatherMetrics, newMetrics, publish } from "./serve-metrics.ts";

/** Grace period for requests in flight at the shutdown, in milliseconds. */
const SHUTDOWN_GRACE = 5_000;

type ServeFlags = Partial<Record<SettingKey, string>> & { readonly lan?: boolean };

/** `commonplace serve`: every setting is a flag. */
export function serveCommand(): Command {
  const command = new Command("serve").description("Start the server.");
  for (const key of settingKeys) {
    const { group, meaning, values, default: fallback } = settings[key];
    const preset = fallback === "" ? "" : `; default ${fallback}`;
    command.addOption(
      new Option(
        `${flagName(key)} <value>`,
        `${meaning} (${values}${preset}; ${variableName(key)})`,
      ).helpGroup(`${SETTING_GROUPS[group]}:`),
    );
  }
  command.option(
    "--lan",
    `listen on all addresses (HOST=${EVERY_ADDRESS}), and print the addresses for other devices`,
  );
  return command.action(async ({ lan = false, ...flags }: ServeFlags) => {
    const config = readConfig(process.env, lan ? { host: EVERY_ADDRESS, ...flags } : flags);
    await (config.workers > 1 && !isWorker() ? serveWithWorkers(config, lan) : serve(config, lan));
  });
}

/** Serves until SIGTERM, SIGINT or SIGHUP, then finishes the requests in flight and closes the database. */
async function serve(config: Config, lan: boolean): Promise<void> {
  const log = logOf(config);
  const metrics = await newMetrics(config);
  const { database, queues } = withQueueEstimates(
    await openDatabase(config.databaseUrl, {
      ...openOptionsFrom(config),
      observer: metrics?.database,
      log,
      isServed: true,
    }),
    { connections: config.databasePoolSize, minAdmitted: config.alwaysServed },
  );
  const load = new LoadShedder(queues, config.alwaysServed);
  const indexer = createIndexer(database, log);
  const jobs = new JobRunner({ database, kinds: jobKinds(config, database), log, observer: metrics?.jobs });
  const wakeJobs = () => jobs.wake();
  const app = createApp({ config, database, log, load, observers: metrics, indexer, wakeJobs });
  const server = listen(app.handle, { ...config, log, shared: isWorker() });
  const { promise: stopSignal, resolve: requestStop } = Promise.withResolvers<string>();
  onStopSignal(requestStop);
  await app.load();
  await publish(metrics, { config, database, server, load, log, indexer });
  jobs.start();
  indexer.start();
  if (isWorker()) notifyListening();
  else announce(log, config, server.port, database.location, await readProgress(database, config), lan);

  if (config.services.includes("posts"))
    assignMissingSlugs(database).catch((error) => log.error("Some posts have no slug yet.", error));
  if (isWorker()) supervisorExited().then(() => requestStop("the exit of its supervisor"));
  log.info(`Stopping on ${await stopSignal}`);
  await Promise.all([server.stop(SHUTDOWN_GRACE), jobs.stop(SHUTDOWN_GRACE), indexer.stop()]);
  await database.close();
  log.info("Stopped");
  await log.close();
  process.exit(0);
}

/** Serves with several processes on one port. */
async function serveWithWorkers(config: Config, lan: boolean): Promise<void> {
  const log = logOf(config);
  // Opened once before the workers start, so that an error is reported once.
  const database = await openDatabase(config.databaseUrl, openOptionsFrom(config));
  const progress = await readProgress(database, config);
  await database.close();
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const words = [...process.argv.slice(2), "--port", String(port)];
  const watcher = await gatherMetrics(config, log);
  await superviseWorkers({
    count: config.workers,
    words,
    log,
    watcher,
    onListening: (pids) => announce(log, config, port, database.location, progress, lan, pids),
  });
  log.info("Stopped");
  await log.close();
  process.exit(0);
}

function logOf({ logLevel, logFormat }: Config): Log {
  const text = logFormat === "auto" ? process.stdout.isTTY : logFormat === "text";
  return new Log({ level: logLevel, format: text ? "text" : "json" });
}

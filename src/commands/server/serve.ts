import { Command, Option } from "commander";
import {
  type Config,
  flagName,
  openOptionsFrom,
  SETTING_GROUPS,
  type SettingKey,
  settingKeys,
  settings,
  variableName,
} from "../../config/config.ts";
import { readConfig } from "../../config/read-config.ts";
import { openDatabase } from "../../database/open.ts";
import { freePort } from "../../http/server.ts";
import { Log } from "../../log.ts";
import { onStopSignal } from "../../signals.ts";
import { isWorker, notifyListening, superviseWorkers, supervisorExited } from "../../workers.ts";
import { announce, readProgress } from "./announce.ts";
import { EVERY_ADDRESS } from "./lan.ts";
import { startService } from "./start-service.ts";

/** The signal of service managers. The others come from terminals, and from the supervisor of a replaced worker. */
const STOP_AND_LEAVE = "SIGTERM";

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
  const { promise: stopSignal, resolve: requestStop } = Promise.withResolvers<string>();
  const service = await startService(config, log, { onListening: () => onStopSignal(requestStop) });
  const { port, database } = service;
  if (isWorker()) notifyListening();
  else announce(log, config, port, database.location, await readProgress(database, config), lan);

  if (isWorker()) supervisorExited().then(() => requestStop("the exit of its supervisor"));
  const reason = await stopSignal;
  log.info(`Stopping on ${reason}`);
  await service.stop(reason === STOP_AND_LEAVE ? config.stopDelay : 0);
  log.info("Stopped");
  await log.close();
  process.exit(0);
}

/** Serves with several processes on one port. */
async function serveWithWorkers(config: Config, lan: boolean): Promise<void> {
  const log = logOf(config);
  // Opened once before the workers start, so that an error is reported once.
  const database = await openDatabase(config.databaseUrl, { ...openOptionsFrom(config), log });
  const progress = await readProgress(database, config);
  await database.close();
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const args = [...process.argv.slice(2), "--port", String(port)];
  await superviseWorkers({
    count: config.workers,
    args,
    log,
    onListening: (pids) => announce(log, config, port, database.location, progress, lan, pids),
  });
  log.info("Stopped");
  await log.close();
  process.exit(0);
}

function logOf({ logLevel }: Config): Log {
  return new Log({ level: logLevel, format: process.stdout.isTTY ? "text" : "json" });
}

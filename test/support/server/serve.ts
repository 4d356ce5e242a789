import { type ServiceOptions, startService } from "../../../src/commands/server/start-service.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { hostInUrl } from "../../../src/http/client/address.ts";
import { Log } from "../../../src/log.ts";
import { TEST_SETTINGS } from "./app.ts";

/** A server in this process that clients reach over TCP. */
export interface LocalServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves on a free port in this process, like `commonplace serve` but without its log, signals and exit.
 * @param settings as in the environment of the command
 */
export async function serve(
  settings: Readonly<Record<string, string>>,
  options: ServiceOptions = {},
): Promise<LocalServer> {
  const config = readConfig({ PORT: "0", LOG_LEVEL: "error", ...TEST_SETTINGS, ...settings });
  const log = new Log({ level: config.logLevel, format: "json" });
  const { port, stop } = await startService(config, log, options);
  return { url: `http://${hostInUrl(config.host)}:${port}`, stop };
}

import { readFileSync } from "node:fs";
import { whyNoStandby } from "../database/database-url.ts";
import { InvalidSettings, messageOf, StartError } from "../errors.ts";
import { socketPathOf } from "../http/unix-socket.ts";
import { type Config, type SettingKey, settingKeys, settings, variableName } from "./config.ts";
import { databaseUrl } from "./setting-values.ts";

/**
 * Reads all settings. A flag overrides the environment; an empty value counts as unset. A secret can also come from
 * the file in `NAME_FILE`, which overrides the variable: units and images set the variable to a default.
 *
 * @throws InvalidSettings with exit code 2 and the names of all invalid settings
 */
export function readConfig(environment: Environment, flags: Flags = {}): Config {
  const given = new Set<SettingKey>();
  const errors: StartError[] = [];
  const parsed = settingKeys.flatMap((key) => {
    try {
      const value = givenValue(key, environment, flags);
      if (value) given.add(key);
      return [[key, parse(key, value || settings[key].default)]];
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      errors.push(error);
      return [];
    }
  });
  if (errors.length > 0) throw new InvalidSettings(errors);
  const config = { ...Object.fromEntries(parsed), given } as Config;
  checkTogether(config);
  return config;
}

/**
 * Reads one setting, for commands that need no others.
 * @throws StartError with exit code 2 and the name of the setting
 */
export function readSetting<K extends SettingKey>(
  key: K,
  environment: Environment,
  flags: Flags = {},
): Config[K] {
  return parse(key, givenValue(key, environment, flags) || settings[key].default) as Config[K];
}

/**
 * Reads a database URL that is no setting of the server: from the command line, the file in `NAME_FILE`, or a
 * variable of this name.
 *
 * @throws StartError as {@link readSetting}, with `flag` in its place
 */
export function readDatabaseUrl(
  flag: string,
  given: string | undefined,
  variable: string,
  environment: Environment,
): string {
  const url = given || contentsOf(`${variable}_FILE`, environment) || environment[variable];
  if (!url)
    throw new StartError(`${flag}: missing. It can also be set with ${variable} or ${variable}_FILE.`, 2);
  try {
    return databaseUrl(url);
  } catch (error) {
    throw new StartError(`${flag}: ${messageOf(error)}`, 2);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
type Flags = Readonly<Partial<Record<SettingKey, string>>>;

function givenValue(key: SettingKey, environment: Environment, flags: Flags): string | undefined {
  return flags[key] || fromFile(key, environment) || environment[variableName(key)];
}

function parse(key: SettingKey, value: string): unknown {
  try {
    return settings[key].parse(value);
  } catch (error) {
    throw invalidSetting(key, messageOf(error));
  }
}

/** @throws InvalidSettings when images go to a store that cannot be reached with these settings */
export function checkMedia(
  config: Pick<Config, "media" | "mediaEndpoint" | "mediaKey" | "mediaSecret">,
): void {
  if (config.media === undefined) return;
  const missing = (["mediaEndpoint", "mediaKey", "mediaSecret"] as const).filter(
    (key) => config[key] === undefined,
  );
  if (missing.length > 0)
    throw new InvalidSettings(
      missing.map((key) => invalidSetting(key, "is missing, and MEDIA needs it for the object store.")),
    );
}

/** @throws InvalidSettings when the standbys cannot be those of the database */
function checkStandbys({ databaseUrl, databaseReadUrl }: Config): void {
  const why = databaseReadUrl && whyNoStandby(databaseUrl, databaseReadUrl);
  if (why) throw new InvalidSettings([invalidSetting("databaseReadUrl", why)]);
}

function checkTogether(config: Config): void {
  const { host, port, metricsPort, workers } = config;
  checkMedia(config);
  checkStandbys(config);
  if (socketPathOf(host) !== undefined && workers > 1)
    throw new InvalidSettings([
      invalidSetting(
        "workers",
        "must be 1 if HOST is a Unix socket: the runtime cannot share it between processes.",
      ),
    ]);
  if (metricsPort === undefined) return;
  const last = metricsPort.port + workers - 1;
  if (port >= metricsPort.port && port <= last)
    throw new InvalidSettings([
      invalidSetting(
        "metricsPort",
        workers === 1
          ? "must differ from PORT: the metrics have their own listener."
          : `the workers use ports ${metricsPort.port} to ${last}, but PORT is ${port}.`,
      ),
    ]);
  if (last > 65_535)
    throw new InvalidSettings([
      invalidSetting("metricsPort", `${workers} workers need ports up to ${last}.`),
    ]);
}

function fromFile(key: SettingKey, environment: Environment): string | undefined {
  return settings[key].secret ? contentsOf(`${variableName(key)}_FILE`, environment) : undefined;
}

/** The contents of the file in `NAME_FILE`; undefined when the variable is unset. */
function contentsOf(variable: string, environment: Environment): string | undefined {
  const path = environment[variable];
  if (!path) return undefined;
  const contents = textOf(path, variable).trim();
  if (contents === "") throw new StartError(`${variable}: ${path} is empty.`, 2);
  return contents;
}

function textOf(path: string, variable: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new StartError(`${variable}: ${path} cannot be read.`, 2, cause);
  }
}

function invalidSetting(key: SettingKey, why: string): StartError {
  return new StartError(`${variableName(key)}: ${why}`, 2);
}

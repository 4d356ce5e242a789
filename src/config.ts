import { readFileSync } from "node:fs";
import { sqlitePathOf } from "./database/database-url.ts";
import { messageOf, StartError } from "./errors.ts";
import { LOG_LEVELS } from "./log.ts";
import {
  addressBlock,
  byteCount,
  corsOrigin,
  databaseUrl,
  duration,
  hostOrAddress,
  hostPattern,
  listOf,
  nonEmpty,
  oneOf,
  optional,
  origin,
  type Parse,
  rate,
  secondsUpTo,
  wholeNumber,
} from "./setting-values.ts";

/** One setting. Its environment variable and its flag of `serve` are derived from its key. */
interface Setting<T> {
  readonly default: string;
  /** Its meaning, for docs/settings.md and `--help`. */
  readonly meaning: string;
  /** Its possible values, for people. */
  readonly values: string;
  /** Whether it may hold a password: it can then also come from a file, and is never shown. */
  readonly secret?: boolean;
  /** @throws Error with a message that completes "NAME: " */
  readonly parse: Parse<T>;
}

/** Every setting, once. */
export const settings = {
  host: setting({
    default: "127.0.0.1",
    values: "an address or host name",
    meaning: "The address to listen on. The default lets only this machine in.",
    parse: hostOrAddress,
  }),
  port: setting({
    default: "8000",
    values: "0 to 65535",
    meaning: "The port to listen on; 0 picks a free one.",
    parse: wholeNumber(0, 65_535),
  }),
  databaseUrl: setting({
    default: "sqlite:data/commonplace.db",
    values: "sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE",
    meaning: "The database. A path is relative to the working folder.",
    secret: true,
    parse: databaseUrl,
  }),
  databasePoolSize: setting({
    default: "10",
    values: "1 to 1000",
    meaning: "How many connections to PostgreSQL one process has at most.",
    parse: wholeNumber(1, 1_000),
  }),
  databaseConnectTimeout: setting({
    default: "5s",
    values: "a number with s, m, h or d",
    meaning: "How long to wait for a connection to PostgreSQL.",
    parse: duration,
  }),
  databaseStatementTimeout: setting({
    default: "10s",
    values: "a number with s, m, h or d",
    meaning: "After how long PostgreSQL cancels a statement.",
    parse: duration,
  }),
  services: setting({
    default: "bookmarks,posts",
    values: "bookmarks, posts",
    meaning: "The services to run, separated by commas.",
    parse: nonEmpty(listOf(oneOf("bookmarks", "posts"))),
  }),
  web: setting({
    default: "on",
    values: "on, off",
    meaning: "Whether there are pages for people. `off` leaves the APIs, and `/` leads to `/docs`.",
    parse: oneOf("on", "off"),
  }),
  workers: setting({
    default: "1",
    values: "1 to 256",
    meaning: "How many processes serve, behind one port. More than one needs PostgreSQL.",
    parse: wholeNumber(1, 256),
  }),
  publicUrl: setting({
    default: "",
    values: "an http or https URL without a path",
    meaning: "The address under which clients reach this server, when it is not the one that it listens on.",
    parse: optional(origin),
  }),
  allowedHosts: setting({
    default: "",
    values: "names, separated by commas; `*.example.com` for all below, `*` for any",
    meaning: "Hosts that the server answers to, besides loopback and the host of PUBLIC_URL.",
    parse: listOf(hostPattern),
  }),
  trustedProxies: setting({
    default: "",
    values: "addresses or CIDR blocks, separated by commas",
    meaning: "Proxies whose X-Forwarded-For, -Proto and -Host headers are believed.",
    parse: listOf(addressBlock),
  }),
  corsOrigins: setting({
    default: "",
    values: "origins, separated by commas; `*` for any, without credentials",
    meaning: "Origins whose pages may use the server from a browser.",
    parse: listOf(corsOrigin),
  }),
  bookmarksAccess: setting({
    default: "auto",
    values: "auto, open, read, private",
    meaning:
      "Who may use the bookmarks: `open` anyone, for reading and writing; `read` anyone reads, accounts write; `private` accounts only; `auto` what the owner has chosen in the browser, before that `open` on loopback and `private` beyond.",
    parse: oneOf("auto", "open", "read", "private"),
  }),
  fetchPages: setting({
    default: "on",
    values: "on, off",
    meaning:
      "Whether accounts may have the server fetch a page's title and description when they add a bookmark. Private addresses are never fetched.",
    parse: oneOf("on", "off"),
  }),
  postsAccess: setting({
    default: "read",
    values: "open, read, private",
    meaning:
      "Who may use the posts: `read` anyone reads, accounts write; `open` anyone, for reading and writing; `private` accounts only.",
    parse: oneOf("open", "read", "private"),
  }),
  comments: setting({
    default: "accounts",
    values: "accounts, moderated, open, off",
    meaning:
      "Who may comment on posts: `accounts`; `moderated` anyone, but what comes without an account waits; `open` anyone; `off` nobody. Unset, the owner may choose in the browser.",
    parse: oneOf("accounts", "moderated", "open", "off"),
  }),
  commentsPerPost: setting({
    default: "1000",
    values: "1 to 100000",
    meaning: "How many comments a post takes.",
    parse: wholeNumber(1, 100_000),
  }),
  tokenTtl: setting({
    default: "30d",
    values: "a number with s, m, h or d",
    meaning: "How long a token from `POST /api/token/` lives.",
    parse: duration,
  }),
  sessionIdle: setting({
    default: "7d",
    values: "a number with s, m, h or d",
    meaning: "After how long without a request a session ends.",
    parse: duration,
  }),
  sessionMax: setting({
    default: "30d",
    values: "a number with s, m, h or d",
    meaning: "How long after signing in a session ends in any case.",
    parse: duration,
  }),
  bodyLimit: setting({
    default: "1MiB",
    values: "bytes, or a number with KiB or MiB",
    meaning: "The most that the body of a request may have.",
    parse: byteCount,
  }),
  mediaLimit: setting({
    default: "20MiB",
    values: "bytes, or a number with KiB or MiB",
    meaning: "Maximum size of an uploaded image.",
    parse: byteCount,
  }),
  rateLimit: setting({
    default: "",
    values: "requests and time, such as 600/1m",
    meaning:
      "How often one address may ask: an IPv4 address or an IPv6 network (/64). Each process counts for itself. No limit by default.",
    parse: optional(rate),
  }),
  rateLimitPerAccount: setting({
    default: "",
    values: "requests and time, such as 600/1m",
    meaning: "The same for one account, besides the limit of its address.",
    parse: optional(rate),
  }),
  alwaysServed: setting({
    default: "64",
    values: "1 to 100000",
    meaning:
      "How many requests at once are never refused for being too many. Of more, those are answered 503 that would have to wait too long.",
    parse: wholeNumber(1, 100_000),
  }),
  connectionIdle: setting({
    default: "75s",
    values: "1s to 255s",
    meaning:
      "After how long a connection is closed on which nothing comes, or less than 16 KiB a second of a body. Keep it above that of a proxy in front.",
    parse: secondsUpTo(255),
  }),
  metricsPort: setting({
    default: "0",
    values: "0 to 65535",
    meaning: "The port of the listener for metrics, in the form that Prometheus reads; 0 is off.",
    parse: wholeNumber(0, 65_535),
  }),
  metricsHost: setting({
    default: "127.0.0.1",
    values: "an address or host name",
    meaning: "The address that the listener for metrics listens on. Whoever reaches it may read them.",
    parse: hostOrAddress,
  }),
  logLevel: setting({
    default: "info",
    values: LOG_LEVELS.join(", "),
    meaning: "How much the log says; `info` has a line for each request.",
    parse: oneOf(...LOG_LEVELS),
  }),
  logFormat: setting({
    default: "auto",
    values: "auto, json, text",
    meaning: "The form of the log: `auto` is text on a terminal, else one JSON object a line.",
    parse: oneOf("auto", "json", "text"),
  }),
};

type Settings = typeof settings;
export type SettingKey = keyof Settings;

/** All settings, parsed. */
export type Config = { readonly [K in SettingKey]: ReturnType<Settings[K]["parse"]> } & {
  /** The settings that are not left at their defaults. */
  readonly given: ReadonlySet<SettingKey>;
};

export const settingKeys = Object.keys(settings) as SettingKey[];

/** The options of `database/open.ts`. */
export function databaseOptions(config: Config) {
  return {
    poolSize: config.databasePoolSize,
    connectTimeout: config.databaseConnectTimeout,
    statementTimeout: config.databaseStatementTimeout,
  };
}

/** `bookmarksAccess` as an environment variable: `BOOKMARKS_ACCESS`. */
export function variableName(key: SettingKey): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** `bookmarksAccess` as a flag: `--bookmarks-access`. */
export function flagName(key: SettingKey): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Reads all settings. A flag overrides the environment; an empty value counts as unset. A secret can also come from
 * the file in `NAME_FILE`.
 *
 * @throws StartError with exit code 2 and the name of the invalid setting
 */
export function readConfig(environment: Environment, flags: Flags = {}): Config {
  const given = new Set<SettingKey>();
  const parsed = settingKeys.map((key) => {
    const value = givenValue(key, environment, flags);
    if (value) given.add(key);
    return [key, parse(key, value || settings[key].default)];
  });
  const config = { ...Object.fromEntries(parsed), given } as Config;
  checkTogether(config);
  return config;
}

/**
 * Reads one setting, for commands that need no others.
 * @throws StartError as {@link readConfig}
 */
export function readSetting<K extends SettingKey>(
  key: K,
  environment: Environment,
  flags: Flags = {},
): Config[K] {
  return parse(key, givenValue(key, environment, flags) || settings[key].default) as Config[K];
}

/**
 * Reads a database URL that is no setting of the server: from the command line, a variable of this name, or the
 * file in `NAME_FILE`.
 *
 * @throws StartError as {@link readConfig}, with `flag` in its place
 */
export function readDatabaseUrl(
  flag: string,
  given: string | undefined,
  variable: string,
  environment: Environment,
): string {
  const url = given || environment[variable] || contentsOf(`${variable}_FILE`, environment);
  if (!url) throw new StartError(`${flag}: missing; ${variable} and ${variable}_FILE say it too.`, 2);
  try {
    return databaseUrl(url);
  } catch (error) {
    throw new StartError(`${flag}: ${messageOf(error)}`, 2);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
type Flags = Readonly<Partial<Record<SettingKey, string>>>;

function givenValue(key: SettingKey, environment: Environment, flags: Flags): string | undefined {
  return flags[key] || environment[variableName(key)] || fromFile(key, environment);
}

function parse(key: SettingKey, value: string): unknown {
  try {
    return settings[key].parse(value);
  } catch (error) {
    throw wrong(key, messageOf(error));
  }
}

function checkTogether({ port, metricsPort, workers, databaseUrl }: Config): void {
  if (workers > 1 && sqlitePathOf(databaseUrl) !== undefined)
    throw wrong(
      "workers",
      "SQLite takes one writer at a time, so more processes only wait for each other; use PostgreSQL.",
    );
  if (metricsPort !== 0 && metricsPort === port)
    throw wrong("metricsPort", "metrics have a listener of their own, so it needs another port than PORT.");
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

function wrong(key: SettingKey, why: string): StartError {
  return new StartError(`${variableName(key)}: ${why}`, 2);
}

function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

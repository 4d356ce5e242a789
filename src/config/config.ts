import { LOG_LEVELS } from "../log.ts";
import {
  addressBlock,
  byteCount,
  corsOrigin,
  databaseUrl,
  duration,
  hostOrAddress,
  hostPattern,
  listOf,
  nonEmptyList,
  oneOf,
  optional,
  origin,
  rate,
  type SettingParser,
  secondsUpTo,
  wholeNumber,
} from "./setting-values.ts";

/** One setting. Its environment variable and its flag of `serve` are derived from its key. */
interface Setting<T> {
  readonly group: SettingGroup;
  readonly default: string;
  /** Its meaning, for docs/settings.md and `--help`. */
  readonly meaning: string;
  /** Its possible values, for people. */
  readonly values: string;
  /** Whether it may hold a password: it can then also come from a file, and is never shown. */
  readonly secret?: boolean;
  /** @throws Error with a message that completes "NAME: " */
  readonly parse: SettingParser<T>;
}

/** The groups of settings, in the order in which docs/settings.md and `--help` show them. */
export const SETTING_GROUPS = {
  first: "First steps",
  proxy: "Behind a proxy",
  tuning: "Tuning",
} as const;
export type SettingGroup = keyof typeof SETTING_GROUPS;

/** Every setting, once. */
export const settings = {
  host: setting({
    group: "first",
    default: "127.0.0.1",
    values: "an address or host name",
    meaning: "The address to listen on. By default, only this machine can connect.",
    parse: hostOrAddress,
  }),
  port: setting({
    group: "first",
    default: "8000",
    values: "0 to 65535",
    meaning: "The port to listen on. 0 picks a free one.",
    parse: wholeNumber(0, 65_535),
  }),
  databaseUrl: setting({
    group: "first",
    default: "sqlite:data/commonplace.db",
    values: "sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE",
    meaning: "The database. A relative path is resolved against the working directory.",
    secret: true,
    parse: databaseUrl,
  }),
  databasePoolSize: setting({
    group: "tuning",
    default: "10",
    values: "1 to 1000",
    meaning: "Maximum number of PostgreSQL connections of each process.",
    parse: wholeNumber(1, 1_000),
  }),
  databaseConnectTimeout: setting({
    group: "tuning",
    default: "5s",
    values: "a duration: a number with s, m, h or d",
    meaning: "Timeout for connecting to PostgreSQL.",
    parse: duration,
  }),
  databaseStatementTimeout: setting({
    group: "tuning",
    default: "10s",
    values: "a duration: a number with s, m, h or d",
    meaning: "Timeout for a PostgreSQL statement.",
    parse: duration,
  }),
  services: setting({
    group: "first",
    default: "bookmarks,posts",
    values: "bookmarks, posts",
    meaning: "The services to run, separated by commas.",
    parse: nonEmptyList(listOf(oneOf("bookmarks", "posts"))),
  }),
  web: setting({
    group: "first",
    default: "on",
    values: "on, off",
    meaning: "Serve web pages. With `off` there are only the APIs, and `/` redirects to `/docs`.",
    parse: oneOf("on", "off"),
  }),
  workers: setting({
    group: "tuning",
    default: "1",
    values: "1 to 256",
    meaning: "Number of server processes that share the port. Each can use one core for reads.",
    parse: wholeNumber(1, 256),
  }),
  publicUrl: setting({
    group: "proxy",
    default: "",
    values: "an http or https URL without a path",
    meaning: "The URL at which clients reach this server, if it differs from the listening address.",
    parse: optional(origin),
  }),
  allowedHosts: setting({
    group: "proxy",
    default: "",
    values: "host names, separated by commas; `*.example.com` for all subdomains, `*` for any host",
    meaning: "Hosts that the server answers to, in addition to loopback and the host of PUBLIC_URL.",
    parse: listOf(hostPattern),
  }),
  trustedProxies: setting({
    group: "proxy",
    default: "",
    values: "addresses or CIDR blocks, separated by commas",
    meaning: "Proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host headers are trusted.",
    parse: listOf(addressBlock),
  }),
  corsOrigins: setting({
    group: "proxy",
    default: "",
    values: "origins, separated by commas; `*` for any origin, without credentials",
    meaning: "Origins whose web pages may use the API from a browser.",
    parse: listOf(corsOrigin),
  }),
  bookmarksAccess: setting({
    group: "first",
    default: "auto",
    values: "auto, open, read, private",
    meaning:
      "Who may use the bookmarks. `open`: anyone reads and writes. `read`: anyone reads, accounts write. `private`: accounts only. `auto`: the owner's choice in the browser; before that, `open` on loopback and `private` elsewhere.",
    parse: oneOf("auto", "open", "read", "private"),
  }),
  fetchPages: setting({
    group: "first",
    default: "on",
    values: "on, off",
    meaning:
      "Let accounts fetch a page's title and description when they add a bookmark. Private addresses are never fetched.",
    parse: oneOf("on", "off"),
  }),
  linkdingApi: setting({
    group: "first",
    default: "on",
    values: "on, off",
    meaning:
      "Serve linkding's API under `/linkding`, for its apps and browser extensions. Clients need a token.",
    parse: oneOf("on", "off"),
  }),
  ghostApi: setting({
    group: "first",
    default: "on",
    values: "on, off",
    meaning:
      "Serve published posts to websites through Ghost's Content API under `/ghost`. Clients need a Content API key.",
    parse: oneOf("on", "off"),
  }),
  micropub: setting({
    group: "first",
    default: "on",
    values: "on, off",
    meaning:
      "Let other programs write posts through Micropub. Clients need a token, or sign in through IndieAuth.",
    parse: oneOf("on", "off"),
  }),
  postsAccess: setting({
    group: "first",
    default: "read",
    values: "open, read, private",
    meaning:
      "Who may use the posts. `read`: anyone reads, accounts write. `open`: anyone reads and writes. `private`: accounts only.",
    parse: oneOf("open", "read", "private"),
  }),
  comments: setting({
    group: "first",
    default: "accounts",
    values: "accounts, moderated, open, off",
    meaning:
      "Who may comment on posts. `accounts`: accounts only. `moderated`: anyone, but anonymous comments wait for approval. `open`: anyone. `off`: nobody. If unset, the owner can choose in the browser.",
    parse: oneOf("accounts", "moderated", "open", "off"),
  }),
  commentsPerPost: setting({
    group: "tuning",
    default: "1000",
    values: "1 to 100000",
    meaning: "Maximum number of comments on a post.",
    parse: wholeNumber(1, 100_000),
  }),
  tokenTtl: setting({
    group: "tuning",
    default: "30d",
    values: "a duration: a number with s, m, h or d",
    meaning: "Lifetime of a token from `POST /api/token/`.",
    parse: duration,
  }),
  sessionIdle: setting({
    group: "tuning",
    default: "7d",
    values: "a duration: a number with s, m, h or d",
    meaning: "End a session after this long without a request.",
    parse: duration,
  }),
  sessionMax: setting({
    group: "tuning",
    default: "30d",
    values: "a duration: a number with s, m, h or d",
    meaning: "End a session this long after sign-in, even if it is in use.",
    parse: duration,
  }),
  importRetention: setting({
    group: "tuning",
    default: "",
    values: "a duration: a number with s, m, h or d",
    meaning:
      "Delete the record of an import after this long: the import can then no longer be undone, and exports lose the folders of its bookmarks. By default, records are kept, except that those of undone imports are deleted after 30 days.",
    parse: optional(duration),
  }),
  bodyLimit: setting({
    group: "tuning",
    default: "1MiB",
    values: "bytes, or a number with KiB or MiB",
    meaning: "Maximum size of a request body.",
    parse: byteCount,
  }),
  mediaLimit: setting({
    group: "tuning",
    default: "20MiB",
    values: "bytes, or a number with KiB or MiB",
    meaning: "Maximum size of an uploaded image.",
    parse: byteCount,
  }),
  streamBuffer: setting({
    group: "tuning",
    default: "16MiB",
    values: "bytes, or a number with KiB or MiB",
    meaning:
      "Limit, per process, on memory for responses still being sent. When it is reached, clients reading slower than 16 KiB/s are disconnected; if no client is that slow, further long responses get 503.",
    parse: byteCount,
  }),
  rateLimit: setting({
    group: "tuning",
    default: "",
    values: "requests and time, such as 600/1m",
    meaning:
      "Rate limit for each client address (an IPv4 address or an IPv6 /64 network), counted by each process. No limit by default.",
    parse: optional(rate),
  }),
  rateLimitPerAccount: setting({
    group: "tuning",
    default: "",
    values: "requests and time, such as 600/1m",
    meaning: "Rate limit for each account, in addition to RATE_LIMIT. No limit by default.",
    parse: optional(rate),
  }),
  alwaysServed: setting({
    group: "tuning",
    default: "64",
    values: "1 to 100000",
    meaning:
      "Up to this many simultaneous requests are always accepted. Beyond that, a request that would wait too long gets 503.",
    parse: wholeNumber(1, 100_000),
  }),
  connectionIdle: setting({
    group: "tuning",
    default: "75s",
    values: "1s to 255s",
    meaning:
      "Close a connection after this long without data, or when a request body arrives slower than 16 KiB/s. Keep it longer than the idle timeout of a proxy in front.",
    parse: secondsUpTo(255),
  }),
  metricsPort: setting({
    group: "tuning",
    default: "0",
    values: "0 to 65535",
    meaning: "Port of the Prometheus metrics listener. 0 turns it off.",
    parse: wholeNumber(0, 65_535),
  }),
  metricsHost: setting({
    group: "tuning",
    default: "127.0.0.1",
    values: "an address or host name",
    meaning: "Address of the metrics listener. Anyone who can connect to it can read the metrics.",
    parse: hostOrAddress,
  }),
  logLevel: setting({
    group: "first",
    default: "info",
    values: LOG_LEVELS.join(", "),
    meaning: "The lowest level to log. `info` includes one line for each request.",
    parse: oneOf(...LOG_LEVELS),
  }),
  logFormat: setting({
    group: "first",
    default: "auto",
    values: "auto, json, text",
    meaning: "Log format. `auto` is text on a terminal and one JSON object per line otherwise.",
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

/** In the order of the groups. */
export const settingKeys = Object.keys(SETTING_GROUPS).flatMap((group) =>
  (Object.keys(settings) as SettingKey[]).filter((key) => settings[key].group === group),
);

/** The options of `database/open.ts`. */
export function openOptionsFrom(config: Config) {
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

function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

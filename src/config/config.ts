import { LOG_LEVELS } from "../log.ts";
import {
  accessKey,
  addressBlock,
  byteCount,
  corsOrigin,
  databaseUrl,
  duration,
  durationOrZero,
  hostOrSocket,
  hostPattern,
  listOf,
  listOrNone,
  mediaPlace,
  metricsAddress,
  nonEmptyList,
  oneOf,
  optional,
  origin,
  rate,
  type SettingParser,
  storedBytes,
  storeEndpoint,
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
  media: "Pictures in an object store",
} as const;
export type SettingGroup = keyof typeof SETTING_GROUPS;

/** Every setting, once. */
export const settings = {
  host: setting({
    group: "first",
    default: "127.0.0.1",
    values: "an address, a host name, or unix:PATH",
    meaning:
      "The address to listen on. By default, only this machine can connect. `unix:/run/commonplace/http.sock` is a Unix socket for a proxy, which is trusted; PORT is then ignored.",
    parse: hostOrSocket,
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
    values:
      "sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE, with ?schema=NAME for one of several sites in it, and HOST,HOST for several servers",
    meaning: "The database. A relative path is resolved against the working directory.",
    secret: true,
    parse: databaseUrl,
  }),
  databaseReadUrl: setting({
    group: "tuning",
    default: "",
    values: "postgres://USER:PASSWORD@HOST,HOST/DATABASE",
    meaning:
      "Standbys of the PostgreSQL database, which answer reads while they have exactly what the primary has.",
    secret: true,
    parse: optional(databaseUrl),
  }),
  databasePoolSize: setting({
    group: "tuning",
    default: "10",
    values: "1 to 1000",
    meaning: "Maximum number of PostgreSQL connections of each process, and to each standby.",
    parse: wholeNumber(1, 1_000),
  }),
  readOnly: setting({
    group: "tuning",
    default: "off",
    values: "on, off",
    meaning:
      "Refuse every write with 503, for maintenance: nothing is stored, no job runs, and pages say so.",
    parse: oneOf("on", "off"),
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
      "Who may use the bookmarks. `open`: anyone reads and writes. `read`: anyone reads, accounts write. `private`: accounts only. `auto`: the owner's choice in the browser, `private` until then; only a server on loopback without an account, and without `PUBLIC_URL`, `TRUSTED_PROXIES` and `ALLOWED_HOSTS`, is `open`.",
    parse: oneOf("auto", "open", "read", "private"),
  }),
  fetchPages: setting({
    group: "first",
    default: "on",
    values: "on, off",
    meaning:
      "Let accounts fetch a page's title, description and picture when they add a bookmark, copies of pages, pictures and titles of all links, the pictures of a blog when they import it, and what an assistant that connects says of itself. Private addresses are never fetched.",
    parse: oneOf("on", "off"),
  }),
  protocols: setting({
    group: "first",
    default: "linkding,ghost,micropub,mcp",
    values: "linkding, ghost, micropub, mcp; or none",
    meaning:
      "The APIs for other programs, separated by commas: apps and extensions for linkding, websites that read Ghost's Content API, programs that write posts through Micropub, agents that use the Model Context Protocol.",
    parse: listOrNone(oneOf("linkding", "ghost", "micropub", "mcp")),
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
  bodyLimit: setting({
    group: "tuning",
    default: "1MiB",
    values: "bytes, or a number with KiB or MiB",
    meaning: "Maximum size of a request body, where an operation has no other limit.",
    parse: byteCount,
  }),
  media: setting({
    group: "media",
    default: "database",
    values: "database, or s3://BUCKET/PREFIX",
    meaning: "Where new pictures are stored. This server serves them in either case.",
    parse: mediaPlace,
  }),
  mediaEndpoint: setting({
    group: "media",
    default: "",
    values: "an http or https URL without a path",
    meaning: "The S3-compatible object store, such as `https://s3.eu-west-1.amazonaws.com`.",
    parse: optional(storeEndpoint),
  }),
  mediaKey: setting({
    group: "media",
    default: "",
    values: "an access key id",
    meaning: "Its access key, which may read, write and delete below the prefix, and list the bucket.",
    secret: true,
    parse: optional(accessKey),
  }),
  mediaSecret: setting({
    group: "media",
    default: "",
    values: "a secret access key",
    meaning: "The secret of this key.",
    secret: true,
    parse: optional(accessKey),
  }),
  copiesMax: setting({
    group: "tuning",
    default: "5GiB",
    values: "bytes, or a number with KiB, MiB or GiB; 0 for none",
    meaning:
      "Maximum size of all copies of pages. On SQLite, a tenth of the disk also stays free. Bookmarks are always saved.",
    parse: storedBytes,
  }),
  rateLimit: setting({
    group: "tuning",
    default: "",
    values: "requests and time, such as 600/1m",
    meaning:
      "Rate limit for each client address (an IPv4 address or an IPv6 /64 network), counted by each process. No limit by default.",
    parse: optional(rate),
  }),
  stopDelay: setting({
    group: "proxy",
    default: "1s",
    values: "a duration: a number with s, m, h or d; 0s for none",
    meaning:
      "After SIGTERM, keep serving for this long while `/readyz` responds with 503, so that load balancers send requests elsewhere.",
    parse: durationOrZero,
  }),
  metricsPort: setting({
    group: "tuning",
    default: "0",
    values: "0 to 65535, or host:port",
    meaning:
      "Port of the Prometheus metrics, on loopback unless a host is given; with WORKERS, the second worker listens on the next port, and so on. Anyone who can connect can read them. 0 turns it off.",
    parse: metricsAddress,
  }),
  logLevel: setting({
    group: "first",
    default: "info",
    values: LOG_LEVELS.join(", "),
    meaning:
      "The lowest level to log. `info` includes one line for each request. The log is text on a terminal, and otherwise one JSON object per line.",
    parse: oneOf(...LOG_LEVELS),
  }),
  logAddress: setting({
    group: "first",
    default: "net",
    values: "full, net, off",
    meaning:
      "How much of a client's address the log line of a request has. `net`: its network only (IPv4 /24, IPv6 /48). Sign-ins are always logged with the full address.",
    parse: oneOf("full", "net", "off"),
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
    readUrl: config.databaseReadUrl,
    isReadOnly: config.readOnly === "on",
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

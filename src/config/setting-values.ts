import { isIP } from "node:net";
import { eachHost, isSchemaName, WANTED_SERVERS, wantedServer } from "../database/database-url.ts";
import { hostInUrl } from "../http/client/address.ts";
import { hostName } from "../http/guards/hosts.ts";
import type { Rate } from "../http/guards/rate-limits.ts";
import { socketPathOf } from "../http/unix-socket.ts";

/**
 * Parsers of setting values. Each takes the given text and throws an Error whose message completes "NAME: ".
 */
export type SettingParser<T> = (text: string) => T;

/** One of several words. */
export function oneOf<const V extends string>(...values: readonly V[]): SettingParser<V> {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new Error(`"${text}" is not one of ${values.join(", ")}.`);
    return found;
  };
}

/** Items separated by commas; empty ones do not count. */
export function listOf<T>(parseItem: (text: string) => T): (text: string) => T[] {
  return (text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "")
      .map(parseItem);
}

/** A list of at least one item. */
export function nonEmptyList<T>(parseList: (text: string) => T[]): (text: string) => T[] {
  return (text) => {
    const list = parseList(text);
    if (list.length === 0) throw new Error("must have at least one item.");
    return list;
  };
}

/** A list of at least one item, or the word `none` for an empty one: an empty text would stand for the default. */
export function listOrNone<T>(parseItem: (text: string) => T): (text: string) => T[] {
  const parseList = nonEmptyList(listOf(parseItem));
  return (text) => (text.trim() === "none" ? [] : parseList(text));
}

/** An optional value; undefined when empty. */
export function optional<T>(parseValue: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text === "" ? undefined : parseValue(text));
}

/** A host name or an address to listen on, without a port. */
export function hostOrAddress(text: string): string {
  const name = hostInUrl(text);
  // A name that ends in a number would be taken for an address (URL Standard, section 3.5).
  const isBrokenAddress = /(?:^|\.)\d+$/.test(text) && isIP(text) === 0;
  if (hostName(name) === null || /:\d+$/.test(name) || isBrokenAddress)
    throw new Error(`"${text}" is neither an address nor a host name.`);
  return text;
}

/** A {@link hostOrAddress}, or `unix:` and the absolute path of a socket, which the system limits to 107 bytes. */
export function hostOrSocket(text: string): string {
  const path = socketPathOf(text);
  if (path === undefined) return hostOrAddress(text);
  if (!/^\/.*[^/]$/.test(path))
    throw new Error(`"${text}" is not unix: followed by the absolute path of a socket.`);
  if (Buffer.byteLength(path) > 107) throw new Error("the path of a socket has at most 107 bytes.");
  return text;
}

/** A whole number from `min` to `max`, both inclusive. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Error(`"${text}" is not an integer from ${min} to ${max}.`);
  };
}

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A port on loopback, or a host and a port such as `0.0.0.0:9464` or `[::1]:9464`; undefined for port 0. */
export function metricsAddress(text: string): ListenAddress | undefined {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (/:/.test(host) && !/^\[.*\]$/.test(host))
    throw new Error(`"${text}" is neither a port nor host:port; an IPv6 address needs brackets: [::1]:9464.`);
  const port = wholeNumber(0, 65_535)(digits || text);
  return port === 0 ? undefined : { host: hostOrAddress(host), port };
}

/**
 * A time such as 90s, 15m, 12h or 30d.
 * @returns milliseconds
 */
export function duration(text: string): number {
  const [, digits, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const milliseconds =
    Number(digits) * ({ s: 1, m: 60, h: 3_600, d: 86_400 }[unit ?? ""] ?? Number.NaN) * 1_000;
  if (milliseconds > 0) return milliseconds;
  throw new Error(`"${text}" is not a duration such as 90s, 15m, 12h or 30d.`);
}

/** A {@link duration}, or `0s`. */
export function durationOrZero(text: string): number {
  return text === "0s" ? 0 : duration(text);
}

/** A number of requests and a time, such as 600/1m. */
export function rate(text: string): Rate {
  const [, requests, window = ""] = /^(\d{1,9})\/(.+)$/.exec(text) ?? [];
  if (Number(requests) > 0) return { requests: Number(requests), window: duration(window) };
  throw new Error(`"${text}" is not a rate such as 600/1m (requests per duration).`);
}

/** Those of libpq, which the driver takes too. */
const SSL_MODES: readonly string[] = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** A URL that `database/database-url.ts` accepts; SQLite in memory is refused, since it would lose everything. */
export function databaseUrl(text: string): string {
  if (/^sqlite:./.test(text) && text !== "sqlite::memory:") return text;
  if (/^postgres(?:ql)?:\/\/./.test(text)) {
    const urls = eachHost(text).map((each) => URL.parse(each));
    // An unencoded slash ends the host: what stands before it would be taken for one.
    const areRight = urls.every(
      (url) =>
        url !== null &&
        (urls.length === 1 || url.hostname !== "") &&
        !`${url.pathname}${url.search}${url.hash}`.includes("@") &&
        isDecodable(`${url.username}${url.password}${url.pathname}`),
    );
    if (areRight) {
      const schema = urls[0]?.searchParams.get("schema") ?? undefined;
      if (schema !== undefined && !isSchemaName(schema))
        throw new Error("has a schema that is no name of at most 50 lower-case letters, digits and _.");
      const sslMode = urls[0]?.searchParams.get("sslmode") || "disable";
      if (!SSL_MODES.includes(sslMode)) throw new Error(`has an sslmode other than ${SSL_MODES.join(", ")}.`);
      const wanted = wantedServer(text) ?? "any";
      if (WANTED_SERVERS.includes(wanted)) return text;
      throw new Error(`has a target_session_attrs other than ${WANTED_SERVERS.join(", ")}.`);
    }
    throw new Error(
      "is not a URL. In a user name or password, write / as %2F, ? as %3F, # as %23, @ as %40 and % as %25.",
    );
  }
  throw new Error("must be sqlite: followed by a file path, or a URL that starts with postgres://.");
}

/** Whether each `%` begins an escaped character. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** @returns the origin, in the spelling of the URL standard */
export function origin(text: string): string {
  const url = URL.parse(text);
  // The URL standard takes an asterisk for part of a name; no name has one.
  const isOrigin = url !== null && /^https?:\/\/[^*]+$/.test(url.origin) && `${url.origin}/` === url.href;
  if (!isOrigin)
    throw new Error(`"${text}" is not an origin such as https://links.example.com (no path, no wildcard).`);
  return url.origin;
}

/** An {@link origin}, or `*` for any. */
export function corsOrigin(text: string): string {
  // The origin of a browser extension is its id in lower case; the URL standard does not define it.
  if (/^(?:chrome|moz|safari-web)-extension:\/\/[\da-z-]+$/i.test(text)) return text.toLowerCase();
  return text === "*" ? text : origin(text);
}

/** A host without a port, `*.` and a host for all names below it, or `*` for any; in lower case. */
export function hostPattern(text: string): string {
  if (text === "*") return text;
  const [, wildcard = "", host = ""] = /^(\*\.)?(.*)$/.exec(text) ?? [];
  const name = hostName(host);
  if (name !== null && !/:\d+$/.test(host.replace(/^\[.*\]$/, ""))) return wildcard + name;
  throw new Error(`"${text}" is not a host without a port, such as links.example.com.`);
}

/** An address, or a block of them in CIDR notation. */
export function addressBlock(text: string): string {
  const [address = "", bits] = text.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (longest >= 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)))
    return text;
  throw new Error(`"${text}" is neither an address nor a CIDR block.`);
}

/** A number of bytes, such as 1048576, 512KiB or 1MiB. */
export function byteCount(text: string): number {
  const count = sizeOf(text, ["B", "KiB", "MiB"]);
  if (!count) throw new Error(`"${text}" is not a size such as 1048576, 512KiB or 1MiB.`);
  return count;
}

/** How many bytes may be stored, such as 512MiB or 5GiB; 0 for none. */
export function storedBytes(text: string): number {
  const count = sizeOf(text, ["B", "KiB", "MiB", "GiB"]);
  if (count === undefined) throw new Error(`"${text}" is not a size such as 512MiB or 5GiB.`);
  return count;
}

const UNITS = ["B", "KiB", "MiB", "GiB"] as const;

/** @returns undefined for what is no size in one of these units */
function sizeOf(text: string, units: readonly (typeof UNITS)[number][]): number | undefined {
  const [, digits, unit = "B"] = /^(\d{1,9})([KMG]?i?B)?$/.exec(text) ?? [];
  const power = (units as readonly string[]).indexOf(unit);
  return digits === undefined || power === -1 ? undefined : Number(digits) * 1024 ** power;
}

/** A place in an object store. */
export interface MediaPlace {
  readonly bucket: string;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
}

/** `database`, which is undefined, or `s3://` with a bucket and a prefix. Errors repeat nothing: keys may be in it. */
export function mediaPlace(text: string): MediaPlace | undefined {
  if (text === "database") return undefined;
  const [, bucket = "", path = ""] = /^s3:\/\/([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || bucket.includes(".."))
    throw new Error("is neither database nor s3:// and a bucket, such as s3://blog/images.");
  const parts = path.replace(/\/$/, "").split("/");
  if (path === "") return { bucket, prefix: "" };
  if (path.length > 500 || !parts.every((part) => /^[\w-][\w.-]*$/.test(part)))
    throw new Error("has a prefix of more than letters, digits, -, _ and . between single slashes.");
  return { bucket, prefix: `${parts.join("/")}/` };
}

/** The {@link origin} of an object store. Errors repeat nothing: keys may be in it. */
export function storeEndpoint(text: string): string {
  try {
    return origin(text);
  } catch {
    throw new Error("is not an http or https URL without a path, such as https://s3.example.com.");
  }
}

/** A key or secret: printable ASCII. It is not repeated in the error. */
export function accessKey(text: string): string {
  if (!/^[!-~]{1,200}$/.test(text)) throw new Error("must be at most 200 ASCII characters without blanks.");
  return text;
}

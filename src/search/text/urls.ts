import { createHash } from "node:crypto";
import { domainToUnicode } from "node:url";

/** The parts of a URL that people remember. */
interface UrlParts {
  /** The host in readable form: lower case, decoded, without `www.` and without a trailing dot. */
  readonly host: string;
  /** Path, query and fragment, percent-decoded where possible. */
  readonly afterHost: string;
}

/** @param href a URL as serialized by the WHATWG standard */
export function urlParts(href: string): UrlParts {
  const url = URL.parse(href);
  if (url === null) return { host: "", afterHost: decoded(href) };
  return { host: hostName(url.hostname), afterHost: decoded(url.pathname + url.search + url.hash) };
}

/** The host in a text, in the form of {@link urlParts}; undefined if there is none. */
export function hostOf(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  return url === null || url.hostname === "" ? undefined : hostName(url.hostname);
}

/** A host and its parent domains: `gist.github.com`, `github.com`, `com`. An IP address has only itself. */
export function withParents(host: string): string[] {
  if (host === "") return [];
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return [host];
  const labels = host.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

function hostName(hostname: string): string {
  const plain = hostname.replace(/^www\.(?=.)/, "").replace(/\.$/, "");
  return domainToUnicode(plain) || plain;
}

/** Decodes percent-encoded UTF-8 where it is valid, and leaves the rest unchanged. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

/** Tracking parameters of campaigns and networks, which do not change the page. */
const TRACKING = new Set([
  ...["gclid", "dclid", "fbclid", "msclkid", "yclid", "twclid", "igshid", "mc_eid", "mc_cid", "mkt_tok"],
  ...["_hsenc", "_hsmi", "vero_id", "srsltid"],
]);
const YOUTUBE_TRACKING = new Set(["si", "feature"]);
const YOUTUBE = /^(?:.+\.)?(?:youtube\.com|youtu\.be)$/;

/**
 * The key that URLs of the same page share. It ignores scheme, `www.`, a trailing slash, tracking parameters,
 * the order of other parameters, and a plain fragment. It keeps user info, port, the case of the path,
 * doubled slashes and `m.` hosts. It is never shown and never replaces a stored URL.
 *
 * @param href a URL as serialized by the WHATWG standard
 */
export function pageKey(href: string): string {
  const url = URL.parse(href);
  if (url === null) return href;
  const host = keptHost(url);
  const user = url.username === "" && url.password === "" ? "" : `${url.username}:${url.password}@`;
  const port = url.port === "" ? "" : `:${url.port}`;
  const path = unreserved(url.pathname).replace(/(?<!\/)\/$/, "");
  return `${user}${host}${port}${path}${queryOf(url, host)}${fragmentOf(url)}`;
}

/** The host in the key of a URL; undefined for what is no URL. Every URL of the page contains it. */
export function pageHost(href: string): string | undefined {
  const url = URL.parse(href);
  return url === null ? undefined : keptHost(url);
}

function keptHost({ hostname }: URL): string {
  return hostname.replace(/^www\.(?=.)/, "").replace(/\.$/, "");
}

/**
 * In base64url characters: 66 bits. The probability of a collision among a million pages is one in a hundred
 * million.
 */
const HASH_LENGTH = 11;

/** A short hash of the key, of fixed length. The index stores and compares it. */
export function pageHash(href: string): string {
  return createHash("sha256").update(pageKey(href)).digest("base64url").slice(0, HASH_LENGTH);
}

function queryOf(url: URL, host: string): string {
  if (url.search === "") return "";
  const isYoutube = YOUTUBE.test(host);
  const kept = url.search
    .slice(1)
    .split("&")
    .map((pair) => unreserved(pair))
    .filter((pair) => pair !== "" && !isTracking(pair.split("=", 1)[0] ?? "", isYoutube));
  if (kept.length === 0) return "";
  // A stable sort by name only: the order of parameters with equal names can matter.
  const nameOf = (pair: string) => pair.split("=", 1)[0] ?? "";
  const sorted = kept.toSorted((one, other) =>
    nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0,
  );
  return `?${sorted.join("&")}`;
}

function isTracking(name: string, isYoutube: boolean): boolean {
  return name.startsWith("utm_") || TRACKING.has(name) || (isYoutube && YOUTUBE_TRACKING.has(name));
}

/** A fragment that an application uses for routing is part of the key; one that only scrolls is not. */
function fragmentOf({ hash }: URL): string {
  const plain = hash.replace(/:~:.*$/s, "");
  return plain.startsWith("#/") || plain.startsWith("#!") ? unreserved(plain) : "";
}

/** Decodes unnecessary percent-encodings, and writes the others in upper case (RFC 3986, section 6.2.2). */
function unreserved(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase();
  });
}

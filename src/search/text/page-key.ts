import { createHash } from "node:crypto";

/** The version of the rules below. It is stored with the index, which is rebuilt when it differs. */
export const PAGE_KEY_VERSION = 2;

/** Tracking parameters of campaigns and networks, which do not change the page. */
const TRACKING = new Set([
  ...["gclid", "dclid", "fbclid", "msclkid", "yclid", "twclid", "igshid", "mc_eid", "mc_cid", "mkt_tok"],
  ...["_hsenc", "_hsmi", "vero_id", "srsltid"],
]);
const YOUTUBE_TRACKING = new Set(["si", "feature"]);
const YOUTUBE = /^(?:.+\.)?(?:youtube\.com|youtu\.be)$/;

/**
 * The key that URLs of the same page share: scheme, `www.`, a trailing slash, tracking parameters, the order of
 * the others and a plain fragment do not matter. User info, port, the case of the path, doubled slashes and `m.`
 * hosts do. Never shown and never stored instead of a URL.
 *
 * @param href a URL in the text form of the WHATWG standard
 */
export function pageKey(href: string): string {
  const url = URL.parse(href);
  if (url === null) return href;
  const host = url.hostname.replace(/^www\.(?=.)/, "").replace(/\.$/, "");
  const user = url.username === "" && url.password === "" ? "" : `${url.username}:${url.password}@`;
  const port = url.port === "" ? "" : `:${url.port}`;
  const path = unreserved(url.pathname).replace(/(?<!\/)\/$/, "");
  return `${user}${host}${port}${path}${queryOf(url, host)}${fragmentOf(url)}`;
}

/** 66 bits: the probability that any two of a million pages collide is one in a hundred million. */
const HASH_LENGTH = 11;

/** A hash of the key, short and of one length: what the index stores and compares. */
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
  // By name only and stable: the order of equal names can matter.
  const nameOf = (pair: string) => pair.split("=", 1)[0] ?? "";
  const sorted = kept.toSorted((one, other) =>
    nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0,
  );
  return `?${sorted.join("&")}`;
}

function isTracking(name: string, isYoutube: boolean): boolean {
  return name.startsWith("utm_") || TRACKING.has(name) || (isYoutube && YOUTUBE_TRACKING.has(name));
}

/** A fragment used for routing in an application is part of the address; one that only scrolls is not. */
function fragmentOf({ hash }: URL): string {
  const plain = hash.replace(/:~:.*$/s, "");
  return plain.startsWith("#/") || plain.startsWith("#!") ? unreserved(plain) : "";
}

/** Decodes unnecessary escapes, and writes the others in upper case (RFC 3986, 6.2.2). */
function unreserved(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase();
  });
}

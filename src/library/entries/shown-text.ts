import { domainToUnicode } from "node:url";
import { decodeIfValid } from "../../text.ts";
import { truncateAtWord } from "../../web/truncate.ts";

/** The maximum length of a URL shown instead of a title. */
const SHOWN_MAX = 100;

/** Matches most URLs in text form; URLs with Punycode or user info are parsed by the URL standard instead. */
const PLAIN_HOST = /^https?:\/\/(?:www\.)?([a-z0-9-][a-z0-9.-]*)(?=[/:?#])/;

/** The title of a link, or its URL without the scheme. */
export function displayTitle({ title, url }: { readonly title: string; readonly url: string }): string {
  return title.trim() === "" ? truncateAtWord(displayUrl(url), SHOWN_MAX) : title;
}

/** The host of a URL as people read it: without `www.`, and not in Punycode. */
export function displayHost(url: string): string {
  const [, plain] = PLAIN_HOST.exec(url) ?? [];
  if (plain !== undefined && !plain.includes("xn--") && !url.includes("@")) return plain;
  const host = URL.parse(url)?.hostname ?? "";
  return (domainToUnicode(host) || host).replace(/^www\.(?=.)/, "");
}

/** A URL as people read it: without its scheme, `www.` and a slash at the end. */
export function displayUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const rest = parsed.pathname.replace(/\/$/, "") + parsed.search + parsed.hash;
  return displayHost(url) + (parsed.port && `:${parsed.port}`) + decodeIfValid(rest, decodeURI);
}

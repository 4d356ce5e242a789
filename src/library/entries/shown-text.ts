import { domainToUnicode } from "node:url";
import { decodeIfValid, isReadable } from "../../text.ts";
import { truncateAtWord } from "../../web/truncate.ts";

/** The maximum length of what is shown instead of a title. */
const SHOWN_MAX = 100;

/** Matches most URLs in text form; URLs with Punycode or user info are parsed by the URL standard instead. */
const PLAIN_HOST = /^https?:\/\/(?:www\.)?([a-z0-9-][a-z0-9.-]*)(?=[/:?#])/;

/** The title of a link; without one, the last piece of its path, else its host. */
export function displayTitle({ title, url }: { readonly title: string; readonly url: string }): string {
  return isReadable(title) ? title : truncateAtWord(lastPiece(url) ?? (displayHost(url) || url), SHOWN_MAX);
}

function lastPiece(url: string): string | undefined {
  const piece = URL.parse(url)
    ?.pathname.split("/")
    .findLast((one) => one !== "");
  const decoded = piece && decodeIfValid(piece, decodeURIComponent);
  return decoded && isReadable(decoded) && !CONTROLS.test(decoded) ? decoded : undefined;
}

/** Control characters, and signs that turn the direction of writing. */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** The host of a URL as people read it: without `www.`, and not in Punycode. */
export function displayHost(url: string): string {
  const [, plain] = PLAIN_HOST.exec(url) ?? [];
  if (plain !== undefined && !plain.includes("xn--") && !url.includes("@")) return plain;
  const host = URL.parse(url)?.hostname ?? "";
  return (domainToUnicode(host) || host).replace(/^www\.(?=.)/, "");
}

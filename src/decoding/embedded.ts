import { escapeUTF8 } from "entities";
import { Parser } from "htmlparser2";
import { withoutEnd } from "../text.ts";

/** The attributes of an element by their names. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** An address as browsers take it: without white space around it, and over https if it has no scheme, as `//host/path`. */
export function addressOf(given: string | undefined): string {
  const address = (given ?? "").replaceAll(/[\t\n\r]/g, "").trim();
  return /^[/\\]{2}/.test(address) ? address.replace(/^[/\\]+/, "https://") : address;
}

/** Where scripts keep the address of what they load later. */
const LATER = [
  ...["data-src", "data-lazy-src", "data-original", "data-orig-file", "data-image", "data-actualsrc"],
  ...["data-lazy", "data-litespeed-src", "data-echo"],
];
/** Where pages keep the addresses of a picture in several sizes. */
export const LATER_SETS = ["srcset", "data-srcset", "data-lazy-srcset"];
/** What stands in the place of a picture until a script loads it. */
const PLACEHOLDER =
  /^(?:$|data:|about:)|(?:^|[/_-])(?:blank|spacer|placeholder|lazy|transparent|trans|pixel|gr[ae]y|load(?:ing|er)|1x1)[\w.-]{0,40}\.(?:gif|png|svg)(?:[?#]|$)/i;

/** The address of a picture, also of one that a script would load later. */
export function pictureAddress(attributes: Attributes): {
  readonly address: string;
  readonly isLate: boolean;
} {
  const address = addressOf(attributes.src);
  if (!PLACEHOLDER.test(address)) return { address, isLate: false };
  const later =
    laterAddress(attributes) ?? LATER_SETS.flatMap((name) => largestOf(attributes[name]) ?? [])[0];
  return later === undefined ? { address, isLate: false } : { address: later, isLate: true };
}

function laterAddress(attributes: Attributes): string | undefined {
  return LATER.map((name) => addressOf(attributes[name])).find((address) => !/^(?:$|data:)/i.test(address));
}

/** The largest picture of a `srcset`. */
function largestOf(set: string | undefined): string | undefined {
  let largest: PictureSource | undefined;
  for (const source of sourcesOf(set)) if (!(source.size <= (largest?.size ?? 0))) largest = source;
  return largest?.address;
}

/** A picture of a `srcset`: its address, and its width in pixels or its density. */
export interface PictureSource {
  readonly address: string;
  readonly size: number;
  readonly isDensity: boolean;
}

/** The pictures of a `srcset`, without those that it contains. */
export function* sourcesOf(set = ""): Generator<PictureSource> {
  for (const [, given = "", size = "1", unit] of set.matchAll(/([^\s,]\S*)(?:\s+([\d.]+)([wx]))?/g)) {
    const address = addressOf(withoutEnd(given, ","));
    if (!/^data:/i.test(address)) yield { address, size: Number(size), isDensity: unit !== "w" };
  }
}

/** Players that scripts make: the attribute with the id, and what stands before it in the address of the page. */
const PLAYERS: Readonly<Record<string, readonly [attribute: string, before: string]>> = {
  "amp-youtube": ["data-videoid", "https://www.youtube.com/watch?v="],
  "lite-youtube": ["videoid", "https://www.youtube.com/watch?v="],
  "amp-vimeo": ["data-videoid", "https://vimeo.com/"],
  "lite-vimeo": ["videoid", "https://vimeo.com/"],
  "amp-dailymotion": ["data-videoid", "https://www.dailymotion.com/video/"],
  "amp-twitter": ["data-tweetid", "https://twitter.com/i/status/"],
  "amp-instagram": ["data-shortcode", "https://www.instagram.com/p/"],
  "amp-gist": ["data-gistid", "https://gist.github.com/"],
};

/** Elements that show something of another page, in which readers see nothing else. */
export const EMBEDDING =
  /^(?:iframe|video|audio|object|embed|amp-(?!img$|anim$)[a-z0-9-]+|lite-(?:youtube|vimeo))$/;
/** Elements inside of these with an address. */
const INSIDE = /^(?:source|param|embed|iframe|video|audio)$/;
/** Those of which each address is another file; of the others the first one counts. */
const SEVERAL = /^(?:video|audio)$/;

/** The address of what an element shows; empty if it says none. */
export function embeddedAddress(name: string, attributes: Attributes): string {
  const player = PLAYERS[name];
  const id = player === undefined ? "" : (attributes[player[0]] ?? "");
  if (player !== undefined && /^[\w-]{1,64}$/.test(id)) return player[1] + id;
  if (name === "param")
    return /^(?:movie|src|url|filename)$/i.test(attributes.name ?? "") ? addressOf(attributes.value) : "";
  const given = addressOf(attributes.src) || (name === "object" ? addressOf(attributes.data) : "");
  const isNone = /^(?:$|about:|data:)/i.test(given);
  return isNone ? (laterAddress(attributes) ?? addressOf(attributes["data-href"])) : given;
}

/** The start tag of any of them. */
const ANY = /<(?:iframe|video|audio|object|embed|amp-|lite-)/i;

/** The start tag of an element that embeds something, and the address of that; empty if it says none. */
interface StartTag {
  readonly start: number;
  readonly end: number;
  readonly address: string;
}

/**
 * HTML with links in the place of films, recordings, and pages that are shown within a page. What such an element has for browsers
 * that cannot show it goes. An element without an address stays, and so does what follows one that never ends.
 */
export function withLinks(html: string): string {
  if (!ANY.test(html)) return html;
  let result = "";
  let position = 0;
  const replace = (start: number, end: number, addresses: readonly string[]) => {
    const [first] = addresses;
    if (first === undefined) return;
    result += html.slice(position, start) + addresses.map(linkTo).join(" ");
    position = end;
  };
  let open: { readonly name: string; readonly tags: StartTag[] } | undefined;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      const isFirst = open === undefined && EMBEDDING.test(name);
      if (isFirst) open = { name, tags: [] };
      else if (name === open?.name) depth++;
      if (open === undefined || !(isFirst || INSIDE.test(name) || EMBEDDING.test(name))) return;
      const address = embeddedAddress(name, attributes);
      open.tags.push({ start: parser.startIndex, end: parser.endIndex + 1, address });
    },
    onclosetag(name, isImplied) {
      if (open === undefined || name !== open.name || depth-- > 0) return;
      const { tags } = open;
      const [first] = tags;
      open = undefined;
      depth = 0;
      if (first === undefined) return;
      const found = [...new Set(tags.flatMap(({ address }) => address || []))];
      if (!isImplied)
        replace(first.start, parser.endIndex + 1, SEVERAL.test(name) ? found : found.slice(0, 1));
      else for (const { start, end, address } of tags) if (address !== "") replace(start, end, [address]);
    },
  });
  parser.end(html);
  return result + html.slice(position);
}

function linkTo(address: string): string {
  const escaped = escapeUTF8(address);
  return `<a href="${escaped}">${escaped}</a>`;
}

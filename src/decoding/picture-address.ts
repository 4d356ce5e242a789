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

/** The address that a script would load; undefined when there is none. */
export function laterAddress(attributes: Attributes): string | undefined {
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

import {
  type Attributes,
  addressOf,
  LATER_SETS,
  type PictureSource,
  pictureAddress,
  sourcesOf,
} from "../../decoding/embedded.ts";

/** The width that a column of text shows on a screen with two pixels for each of CSS. */
const WIDTH = 1_600;
const DENSITY = 2;
/** A picture of fewer characters within a page stands there until a script loads the right one. */
const PREVIEW = 4_000;
/** The largest width or height, in pixels, of a picture that shows nothing, such as one that counts visitors. */
const DOT = 2;

/** Whether a picture shows nothing, by its width or height in pixels. */
export function isDot(side: number | undefined): boolean {
  return side !== undefined && side <= DOT;
}

/**
 * The address of a picture in the size that is worth keeping; empty when it has none.
 * @param around the `srcset` of the `<source>` elements beside it
 * @param data the `data:` URL that is its `src`, if that is one
 */
export function bestPicture(
  attributes: Attributes,
  around: readonly string[],
  data: string | undefined,
): string {
  // A page that a browser saved has its pictures inside it.
  if (data !== undefined && data.length >= PREVIEW) return data;
  const given = data === undefined ? attributes : { ...attributes, src: data };
  const [ofSet] = [...LATER_SETS.map((name) => given[name]), ...around].flatMap(
    (set) => bestOf([...sourcesOf(set)]) ?? [],
  );
  return ofSet === undefined ? pictureAddress(given).address : addressOf(ofSet);
}

function bestOf(sources: readonly PictureSource[]): string | undefined {
  const bySize = sources.toSorted((one, other) => one.size - other.size);
  const enough = bySize.find(({ size, isDensity }) => size >= (isDensity ? DENSITY : WIDTH));
  return (enough ?? bySize.at(-1))?.address;
}

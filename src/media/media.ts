/** The accepted types of images. Images are stored in their own type. */
export const IMAGE_TYPES = { jpg: "image/jpeg", png: "image/png", webp: "image/webp" } as const;
export type ImageType = keyof typeof IMAGE_TYPES;

/** The widths of the smaller versions of a new image that is wider, in pixels. Those of an earlier program may be fewer. */
const SMALLER_WIDTHS = [480, 800, 1200, 1600] as const;

/** An uploaded image. */
export interface Media {
  /** The beginning of the SHA-256 of its bytes, in hexadecimal: 40 digits. */
  readonly sha: string;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
  /** In bytes. */
  readonly size: number;
  readonly createdAt: Date;
}

/** An image at all of its widths. */
export interface MediaWidths extends Pick<Media, "sha" | "type" | "width" | "height"> {
  /** Of its smaller versions, ascending. */
  readonly smaller: readonly number[];
}

/** An image at one width. */
export interface MediaVariant {
  readonly width: number;
  readonly bytes: Uint8Array;
}

/** An image at one width, with its bytes or the name of the object beside the database that has them. */
export type PlacedVariant = MediaVariant | { readonly width: number; readonly object: string };

/** The paths of uploaded images in a text. */
export const MEDIA_PATH = /\/media\/([0-9a-f]{40})\.(?:jpg|png|webp)/g;

/** The path of an image. */
export function mediaPath({ sha, type }: Pick<Media, "sha" | "type">): string {
  return `/media/${sha}.${type}`;
}

/** Parses the last part of a path: an image, at full size or at a smaller width. */
export function parseMediaName(
  name: string,
): { readonly sha: string; readonly type: string; readonly width: number | undefined } | undefined {
  const found = /^([0-9a-f]{40})(?:-(\d{1,5}))?\.(jpg|png|webp)$/.exec(name);
  if (found === null) return undefined;
  const [, sha = "", width, type = ""] = found;
  return { sha, type, width: width === undefined ? undefined : Number(width) };
}

/** The widths of the smaller versions of a new image, ascending. */
export function smallerWidths(width: number): number[] {
  return SMALLER_WIDTHS.filter((smaller) => smaller < width);
}

import { inTurn, PIXELS_MAX } from "./accept-image.ts";
import { isBareImage } from "./bare-image.ts";

/** The formats that are decoded; SVG is a document that can do more than show a picture. */
const FORMATS: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif"]);
/** The maximum size of a stored picture, in pixels: that of a card, as pages offer them to networks. */
export const PAGE_PICTURE = { width: 480, height: 252 };
/** What is smaller is a logo, or counts visitors. */
const SOURCE_MIN = { width: 200, height: 100 };
/** Of a stored picture: what is narrower is a banner or a ruler. */
const SIDE_MIN = 60;
/** The maximum number of bytes of a stored picture; most have 15 kB. */
export const PAGE_PICTURE_BYTES = 48 * 1024;
/** The qualities that are tried, until one is small enough. */
const QUALITIES = [75, 50, 25];

/** The picture of a page as WebP. */
export interface PagePictureBytes {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * Re-encodes the picture of a page whole, in its proportions. Of an animation, the first frame counts.
 * @returns undefined for what is no picture, or one that is too large, too small, or too narrow
 */
export function acceptPagePicture(bytes: Uint8Array): Promise<PagePictureBytes | undefined> {
  return accepted(bytes, false);
}

/** The same of a picture in an archive, where one that a server has encoded stays as it is. */
export function acceptArchivedPicture(bytes: Uint8Array): Promise<PagePictureBytes | undefined> {
  return accepted(bytes, true);
}

function accepted(bytes: Uint8Array, mayBeOurs: boolean): Promise<PagePictureBytes | undefined> {
  return inTurn(async () => {
    try {
      const source = await decoder(bytes).metadata();
      if (!FORMATS.has(source.format)) return undefined;
      if (mayBeOurs && isOurs(bytes, source)) return { width: source.width, height: source.height, bytes };
      if (source.width < SOURCE_MIN.width || source.height < SOURCE_MIN.height) return undefined;
      for (const quality of QUALITIES) {
        const encoded = await decoder(bytes)
          .resize(PAGE_PICTURE.width, PAGE_PICTURE.height, { fit: "inside", withoutEnlargement: true })
          .webp({ quality })
          .bytes();
        if (encoded.length > PAGE_PICTURE_BYTES) continue;
        const { width, height } = await decoder(encoded).metadata();
        return Math.min(width, height) < SIDE_MIN ? undefined : { width, height, bytes: encoded };
      }
      return undefined;
    } catch (error) {
      if (isUnreadable(error)) return undefined;
      throw error;
    }
  });
}

function isOurs(bytes: Uint8Array, { format, width, height }: Bun.Image.Metadata): boolean {
  return (
    format === "webp" &&
    bytes.length <= PAGE_PICTURE_BYTES &&
    width <= PAGE_PICTURE.width &&
    height <= PAGE_PICTURE.height &&
    Math.min(width, height) >= SIDE_MIN &&
    isBareImage(bytes, "webp")
  );
}

/** Each pixel takes 4 bytes. */
function decoder(bytes: Uint8Array): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: PIXELS_MAX });
}

function isUnreadable(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof RangeError || (typeof code === "string" && code.startsWith("ERR_IMAGE_"));
}

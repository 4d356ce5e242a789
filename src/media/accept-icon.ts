import { inTurn } from "./accept-image.ts";
import { isBareImage } from "./bare-image.ts";
import { pictureIn } from "./ico.ts";

/** The formats of icons that are decoded; SVG is a document that can do more than show a picture. */
const FORMATS: ReadonlySet<string> = new Set(["png", "jpeg", "webp", "gif", "bmp"]);
/** The maximum number of pixels of an icon, each 4 bytes during encoding. */
const PIXELS_MAX = 1024 * 1024;
/** The maximum number of bytes of an encoded icon. */
export const ICON_BYTES_MAX = 2_048;
const LARGE = 32;
const SMALL = 16;

/** An icon as WebP, 32 and 16 pixels wide and high at most. */
export interface Icon {
  readonly large: Uint8Array;
  readonly small: Uint8Array;
}

/**
 * Re-encodes the icon of another site, as {@link acceptImage} does an upload. One that was encoded here stays as it is.
 *
 * @returns undefined for what is no picture, or none of an icon
 */
export function acceptIcon(bytes: Uint8Array): Promise<Icon | undefined> {
  return inTurn(async () => {
    try {
      const picture = pictureIn(bytes, LARGE);
      const { format, width, height } = await decoder(picture).metadata();
      if (!FORMATS.has(format)) return undefined;
      const isOurs =
        Math.max(width, height) <= LARGE &&
        bytes.length <= ICON_BYTES_MAX &&
        format === "webp" &&
        isBareImage(bytes, "webp");
      const large = isOurs ? bytes : await encoded(picture, LARGE);
      const small = large && (await encoded(large, SMALL));
      return large && small && { large, small };
    } catch (error) {
      if (isUnreadable(error)) return undefined;
      throw error;
    }
  });
}

function decoder(bytes: Uint8Array): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: PIXELS_MAX });
}

/** Without loss if that is small enough, as it is for drawings. */
async function encoded(bytes: Uint8Array, side: number): Promise<Uint8Array | undefined> {
  const fitting = () => decoder(bytes).resize(side, side, { fit: "inside", withoutEnlargement: true });
  const exact = await fitting().webp({ lossless: true }).bytes();
  if (exact.length <= ICON_BYTES_MAX) return exact;
  const smaller = await fitting().webp({ quality: 80 }).bytes();
  return smaller.length <= ICON_BYTES_MAX ? smaller : undefined;
}

function isUnreadable(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof RangeError || (typeof code === "string" && code.startsWith("ERR_IMAGE_"));
}

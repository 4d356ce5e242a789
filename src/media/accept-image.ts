import { createHash } from "node:crypto";
import { Refusal } from "../errors.ts";
import { IMAGE_TYPES, type ImageType, type Media, type MediaVariant, smallerWidths } from "./media.ts";
import { type Turn, turnOf } from "./orientation.ts";

/** The maximum number of pixels of an image that is decoded whole, as PNG, WebP and GIF are. Each takes 4 bytes. */
export const PIXELS_MAX = 25_000_000;
/** The same of a JPEG, which is decoded at a smaller size already: enough for the 48 megapixels of a phone. */
const JPEG_PIXELS_MAX = 50_000_000;
/** The maximum width and height of a stored image, in pixels. */
export const SIDE_MAX = 2_400;

const TYPES: Readonly<Record<string, ImageType>> = { jpeg: "jpg", png: "png", webp: "webp" };

/** An accepted image: its metadata, and its bytes at each width. */
export interface AcceptedImage {
  readonly media: Omit<Media, "createdAt">;
  readonly forms: readonly MediaVariant[];
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Re-encodes an uploaded image, so that only its pixels and color profile are kept: no location, no camera, nothing
 * appended to it. Its type is detected from its bytes, never from its name.
 *
 * @throws Refusal `unsupported_media_type` unless it is an intact, non-animated JPEG, PNG or WebP; `too_large` for
 *   too many pixels
 */
export function acceptImage(bytes: Uint8Array): Promise<AcceptedImage> {
  return inTurn(() => encodeAnew(bytes));
}

/** Images are encoded one after another, since each can take 200 MB for a short time. */
export function inTurn<T>(encode: () => Promise<T>): Promise<T> {
  const done = last.then(encode);
  last = done.catch(() => {});
  return done;
}

async function encodeAnew(bytes: Uint8Array): Promise<AcceptedImage> {
  try {
    const { type, width, height, bytes: whole } = await encodeWhole(bytes, SIDE_MAX);
    const smaller = await Promise.all(
      smallerWidths(width).map(async (wanted) => ({
        width: wanted,
        bytes: await encoded(whole, type, wanted, Number.MAX_SAFE_INTEGER),
      })),
    );
    return {
      media: { sha: shaOf(whole), type, width, height, size: whole.length },
      forms: [...smaller, { width, bytes: whole }],
    };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** An image at one size. */
export interface Picture {
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * {@link acceptImage} for an image that is wanted at one size.
 * @param side the maximum width and height, in pixels
 * @throws Refusal as there
 */
export function acceptPicture(bytes: Uint8Array, side: number): Promise<Picture> {
  return inTurn(() =>
    encodeWhole(bytes, side).catch((error) => {
      throw refusalOf(error);
    }),
  );
}

async function encodeWhole(bytes: Uint8Array, side: number): Promise<Picture> {
  const { format, ...size } = await image(bytes).metadata();
  const type = TYPES[format];
  if (type === undefined || isAnimated(bytes)) throw unsupportedImage();
  if (hasTooManyPixels(type, size)) throw tooManyPixels();
  const turn = type === "jpg" ? undefined : turnOf(bytes, type);
  const whole = await encoded(bytes, type, side, side, turn);
  const { width, height } = await image(whole).metadata();
  return { type, width, height, bytes: whole };
}

/** Whether an image of a type is refused for its width times its height. */
export function hasTooManyPixels(
  type: ImageType,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  return width * height > (type === "jpg" ? JPEG_PIXELS_MAX : PIXELS_MAX);
}

/** The name of an image. */
function shaOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 40);
}

function image(bytes: Uint8Array): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: JPEG_PIXELS_MAX });
}

function encoded(
  bytes: Uint8Array,
  type: ImageType,
  width: number,
  height = width,
  turn: Turn = { degrees: 0 },
): Promise<Uint8Array> {
  const decoded = image(bytes).rotate(turn.degrees);
  if (turn.mirror !== undefined) decoded[turn.mirror]();
  const fitting = decoded.resize(width, Math.min(height, 16_000), {
    fit: "inside",
    withoutEnlargement: true,
  });
  if (type === "png") return fitting.png({ compressionLevel: 9 }).bytes();
  if (type === "webp") return fitting.webp({ quality: 82 }).bytes();
  return fitting.jpeg({ quality: 82, progressive: true }).bytes();
}

/** Re-encoding would keep only the first frame of an animation. */
function isAnimated(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 65_536));
  const isWebp = beginning.toString("latin1", 8, 16) === "WEBPVP8X";
  if (isWebp) return ((beginning[20] ?? 0) & 0x02) !== 0;
  const control = beginning.indexOf("acTL");
  return control !== -1 && control < beginning.indexOf("IDAT");
}

/** The refusal for an error of the encoder: `too_large` or `unsupported_media_type`; any other error as it is. */
export function refusalOf(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (error instanceof Refusal || typeof code !== "string" || !code.startsWith("ERR_IMAGE_")) return error;
  return code === "ERR_IMAGE_TOO_MANY_PIXELS" ? tooManyPixels() : unsupportedImage();
}

function tooManyPixels(): Refusal {
  const [others, jpeg] = [PIXELS_MAX, JPEG_PIXELS_MAX].map((pixels) => pixels / 1_000_000);
  return new Refusal(
    "too_large",
    `The image may have at most ${others} megapixels, or ${jpeg} as a JPEG. Make it smaller first.`,
  );
}

/** 415, with the accepted types. */
export function unsupportedImage(): Refusal {
  return new Refusal(
    "unsupported_media_type",
    "Only complete, non-animated JPEG, PNG and WebP images are accepted. Convert HEIC, AVIF, GIF and SVG first.",
    { headers: { accept: Object.values(IMAGE_TYPES).join(", ") } },
  );
}

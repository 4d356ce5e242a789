import { Refusal } from "../../errors.ts";
import { inTurn, PIXELS_MAX, refusalOf } from "../../media/accept-image.ts";

const EXTENSION = 0x21;
const PICTURE = 0x2c;

/**
 * A GIF with one picture as PNG, which has the same pixels; other bytes as they are.
 * @throws Refusal `unsupported_media_type` for an animated or damaged GIF; of an animation, only the first picture
 *   would remain; `too_large` for too many pixels
 */
export async function stillOf(bytes: Uint8Array): Promise<Uint8Array> {
  if (
    !/^GIF8[79]a$/.test(
      Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(6, bytes.length)).toString("latin1"),
    )
  )
    return bytes;
  if (countPictures(bytes) > 1)
    throw new Refusal("unsupported_media_type", "It is animated: only still images are accepted.");
  try {
    return await inTurn(() => new Bun.Image(bytes, { maxPixels: PIXELS_MAX }).png().bytes());
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The pictures of a GIF, of which a second one ends the search (GIF89a, sections 17 to 27). */
function countPictures(bytes: Uint8Array): number {
  let pictures = 0;
  for (let at = 13 + colorTableSize(bytes[10]); at < bytes.length && pictures < 2; ) {
    if (bytes[at] === PICTURE) {
      pictures++;
      // The image descriptor and the local color table are followed by the LZW minimum code size, one byte.
      at = afterBlocks(bytes, at + 10 + colorTableSize(bytes[at + 9]) + 1);
    } else if (bytes[at] === EXTENSION) at = afterBlocks(bytes, at + 2);
    else return pictures;
  }
  return pictures;
}

/** The size of a color table in bytes, from the flags of its header; 0 when there is none. */
function colorTableSize(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** The position after a list of blocks, each of which begins with its length; the last one is empty. */
function afterBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let length = bytes[at] ?? 0; length !== 0; length = bytes[at] ?? 0) at += length + 1;
  return at + 1;
}

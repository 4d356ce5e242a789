import { blackBitmap } from "./bitmap.ts";

/**
 * Makes an image with some noise, as a file of the given type. @param noise gives another image of the same
 * size
 */
export async function makeImage(
  type: "jpeg" | "png" | "webp",
  { width = 400, height = 300, noise = 37 }: { width?: number; height?: number; noise?: number } = {},
): Promise<Uint8Array> {
  const image = new Bun.Image(bitmap(width, height, noise));
  if (type === "png") return image.png().bytes();
  return type === "webp" ? image.webp().bytes() : image.jpeg().bytes();
}

/** The place that {@link photo} has. */
export const PLACE = "52.5200 N 13.4050 E";

/** A JPEG with the place where it was taken, and with a script behind its end. */
export async function photo(): Promise<Buffer> {
  const jpeg = await makeImage("jpeg");
  const place = Buffer.from(`Exif\0\0MM\0*\0\0\0\x08 ${PLACE}`);
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, place.length + 2]), place]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2), Buffer.from("<script>1</script>")]);
}

/** A bitmap of many colors. */
function bitmap(width: number, height: number, noise: number): Buffer {
  const bytes = blackBitmap(width, height);
  for (let index = 54; index < bytes.length; index += 5) bytes[index] = (index * noise) % 251;
  return bytes;
}

/** A GIF with some frames, each of another color; LZW without compression. */
export function makeGif(frames: number, { width = 300, height = 200 } = {}): Buffer {
  const head = Buffer.alloc(13 + 256 * 3);
  head.write("GIF89a");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  head[10] = 0xf7;
  for (let index = 0; index < 256; index++) head.fill(index, 13 + index * 3, 16 + index * 3);
  const pieces: Buffer[] = [head];
  for (let frame = 0; frame < frames; frame++) {
    const descriptor = Buffer.alloc(11);
    descriptor[0] = 0x2c;
    descriptor.writeUInt16LE(width, 5);
    descriptor.writeUInt16LE(height, 7);
    descriptor[10] = 8;
    pieces.push(Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]), descriptor);
    pieces.push(...blocksOf(codes(width * height, (frame * 90 + 40) % 256)));
  }
  return Buffer.concat([...pieces, Buffer.from([0x3b])]);
}

/** Codes of 9 bits each: the table is cleared before it needs longer ones. */
function codes(pixels: number, color: number): Buffer {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  const write = (code: number) => {
    bits |= code << count;
    for (count += 9; count >= 8; count -= 8) {
      bytes.push(bits & 0xff);
      bits >>= 8;
    }
  };
  for (let pixel = 0; pixel < pixels; pixel++) {
    if (pixel % 250 === 0) write(256);
    write(color);
  }
  write(257);
  if (count > 0) bytes.push(bits & 0xff);
  return Buffer.from(bytes);
}

function blocksOf(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return [...blocks, Buffer.from([0])];
}

/** The beginning of a PNG file. */
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
/** The size of a header of BMP, version 4, which says where the alpha is. */
const V4_HEADER = 108;

/**
 * One picture of an icon in the format of Windows (`favicon.ico`), as PNG or BMP: the smallest that is at least as wide as
 * wanted, else the widest. Other files are returned as they are.
 *
 * @throws RangeError when it refers to bytes that it does not have, or has a form that nobody uses
 */
export function pictureIn(bytes: Uint8Array, wanted: number): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < 6 || file.readUInt32LE(0) !== 0x0001_0000) return bytes;
  const entries = Array.from({ length: Math.min(file.readUInt16LE(4), 50) }, (_, index) => {
    const at = 6 + 16 * index;
    return {
      width: file.readUInt8(at) || 256,
      depth: file.readUInt16LE(at + 6),
      size: file.readUInt32LE(at + 8),
      from: file.readUInt32LE(at + 12),
    };
  }).toSorted((a, b) => a.width - b.width || b.depth - a.depth);
  const entry = entries.find(({ width }) => width >= wanted) ?? entries.findLast(() => true);
  if (entry === undefined || entry.from + entry.size > file.length) throw new RangeError("no such picture");
  const picture = file.subarray(entry.from, entry.from + entry.size);
  return picture.subarray(0, PNG.length).equals(PNG) ? picture : bitmapOf(picture);
}

/**
 * A picture of an icon without PNG: a bitmap from the last row to the first, then a mask of what can be seen through, which
 * only decides where the colors have no alpha of their own.
 */
function bitmapOf(picture: Buffer): Buffer {
  const header = picture.readUInt32LE(0);
  const width = picture.readInt32LE(4);
  const height = picture.readInt32LE(8) / 2;
  const depth = picture.readUInt16LE(14);
  const isKnown = [1, 4, 8, 24, 32].includes(depth) && picture.readUInt32LE(16) === 0;
  if (!isKnown || header !== 40 || !isSide(width) || !isSide(height))
    throw new RangeError("an unknown kind of bitmap");
  const colors = depth > 8 ? 0 : picture.readUInt32LE(32) || 2 ** depth;
  const pixels = header + 4 * colors;
  const row = 4 * Math.ceil((width * depth) / 32);
  const mask = pixels + row * height;
  const maskRow = 4 * Math.ceil(width / 32);
  const colorAt = (x: number, y: number): number => {
    const at = pixels + y * row + Math.floor((x * depth) / 8);
    if (depth === 32) return picture.readUInt32LE(at);
    if (depth === 24) return picture.readUIntLE(at, 3);
    const index = (picture.readUInt8(at) >> (8 - depth - ((x * depth) % 8))) & (2 ** depth - 1);
    if (index >= colors) throw new RangeError("no such color");
    return picture.readUIntLE(header + 4 * index, 3);
  };
  const made = emptyBitmap(width, height);
  let hasAlpha = false;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const color = colorAt(x, y);
      hasAlpha ||= color > 0xff_ff_ff;
      made.writeUInt32LE(color, made.length - 4 * (width * height - y * width - x));
    }
  if (hasAlpha) return made;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isSeen = ((picture.readUInt8(mask + y * maskRow + (x >> 3)) >> (7 - (x & 7))) & 1) === 0;
      made.writeUInt8(isSeen ? 255 : 0, made.length - 4 * (width * height - y * width - x) + 3);
    }
  return made;
}

function isSide(length: number): boolean {
  return Number.isInteger(length) && length >= 1 && length <= 256;
}

/** A file of BMP with 32 bits a pixel, in the order blue, green, red, alpha. */
function emptyBitmap(width: number, height: number): Buffer {
  const start = 14 + V4_HEADER;
  const file = Buffer.alloc(start + 4 * width * height);
  file.write("BM");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(start, 10);
  file.writeUInt32LE(V4_HEADER, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(32, 28);
  // The masks below say which bits are which color.
  file.writeUInt32LE(3, 30);
  file.writeUInt32LE(4 * width * height, 34);
  for (const [index, bits] of [0xff0000, 0xff00, 0xff, 0xff000000].entries())
    file.writeUInt32LE(bits, 54 + 4 * index);
  return file;
}

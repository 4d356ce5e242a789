/** How a picture is turned: clockwise in degrees, then mirrored. */
export interface Turn {
  readonly degrees: number;
  readonly mirror?: "flip" | "flop";
}

/** The values of Orientation (Exif 2.32, section 4.6.4), from 2. */
const TURNS: readonly Turn[] = [
  { degrees: 0, mirror: "flop" },
  { degrees: 180 },
  { degrees: 0, mirror: "flip" },
  { degrees: 90, mirror: "flop" },
  { degrees: 90 },
  { degrees: 90, mirror: "flip" },
  { degrees: 270 },
];
const ORIENTATION = 0x0112;
const SHORT = 3;

/**
 * How a PNG or WebP is turned to stand as it was taken: the decoder does that for JPEG only.
 * @returns undefined for one that stands already
 */
export function turnOf(bytes: Uint8Array, type: "png" | "webp"): Turn | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const exif = type === "png" ? pngExif(file) : webpExif(file);
  return exif && TURNS[orientationIn(exif) - 2];
}

function pngExif(file: Buffer): Buffer | undefined {
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString("latin1", at + 4, at + 8) === "eXIf") return file.subarray(at + 8, at + 8 + length);
    at += 12 + length;
  }
  return undefined;
}

function webpExif(file: Buffer): Buffer | undefined {
  for (let at = 12; at + 8 <= file.length; ) {
    const length = file.readUInt32LE(at + 4);
    const data = file.subarray(at + 8, at + 8 + length);
    // Some programs put JPEG's mark before it.
    if (file.toString("latin1", at, at + 4) === "EXIF")
      return data.toString("latin1", 0, 6) === "Exif\0\0" ? data.subarray(6) : data;
    at += 8 + length + (length % 2);
  }
  return undefined;
}

/** The orientation in a TIFF structure, or 1. */
function orientationIn(exif: Buffer): number {
  const order = exif.toString("latin1", 0, 2);
  if ((order !== "II" && order !== "MM") || exif.length < 14) return 1;
  const short = (at: number) => (order === "II" ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const start = order === "II" ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  if (start + 2 > exif.length) return 1;
  const end = Math.min(start + 2 + 12 * short(start), exif.length - 11);
  for (let at = start + 2; at < end; at += 12)
    if (short(at) === ORIENTATION && short(at + 2) === SHORT) return short(at + 8);
  return 1;
}

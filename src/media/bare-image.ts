import type { ImageType } from "./media.ts";

/**
 * The parts of files with the pixels of one picture and its color profile, which is what re-encoding keeps. Others have the
 * place, the camera, texts, or more pictures.
 */
const PARTS: Readonly<Record<ImageType, ReadonlySet<string>>> = {
  // JFIF, color profile, Adobe's color transform; frames, tables and scans (ITU-T T.81, table B.1).
  jpg: new Set([
    ...["e0 JFIF\0 16", "e2 ICC_P", "ee Adobe 14", "db", "c0", "c1", "c2", "c4", "dd", "da", "end"],
  ]),
  png: new Set([
    ...[
      "IHDR",
      "PLTE",
      "IDAT",
      "tRNS",
      "cHRM",
      "gAMA",
      "iCCP",
      "cICP",
      "sRGB",
      "sBIT",
      "bKGD",
      "pHYs",
      "end",
    ],
  ]),
  webp: new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ICCP", "end"]),
};

const READERS = { jpg: jpegParts, png: pngParts, webp: webpParts };

/** Whether a file has nothing but the pixels and the color profile of one picture, and ends with it. */
export function isBareImage(bytes: Uint8Array, type: ImageType): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let last = "";
  for (const part of READERS[type](file)) {
    if (!PARTS[type].has(part)) return false;
    last = part;
  }
  return last === "end";
}

function* jpegParts(file: Buffer): Generator<string> {
  for (let at = 2; at + 2 <= file.length && file[at] === 0xff; ) {
    const marker = file.readUInt8(at + 1);
    const code = marker.toString(16);
    at += 2;
    if (marker === 0xd9) {
      yield at === file.length ? "end" : "more";
      return;
    }
    if (at + 2 > file.length) return;
    const length = file.readUInt16BE(at);
    const isApplication = marker >= 0xe0 && marker <= 0xef;
    const owner = file.toString("latin1", at + 2, at + 7);
    yield !isApplication ? code : `${code} ${owner}${marker === 0xe2 ? "" : ` ${length}`}`;
    at += length;
    // The pixels of a scan, in which 0xff is followed by 0 or a restart marker.
    if (marker === 0xda)
      for (at = file.indexOf(0xff, at); at !== -1 && isInScan(file[at + 1]); )
        at = file.indexOf(0xff, at + 2);
    if (at === -1) return;
  }
}

function isInScan(code: number | undefined): boolean {
  return code === 0 || (code !== undefined && code >= 0xd0 && code <= 0xd7);
}

function* pngParts(file: Buffer): Generator<string> {
  for (let at = 8; at + 12 <= file.length; ) {
    const name = file.toString("latin1", at + 4, at + 8);
    at += 12 + file.readUInt32BE(at);
    if (name === "IEND") {
      yield at === file.length ? "end" : "more";
      return;
    }
    yield name;
  }
}

function* webpParts(file: Buffer): Generator<string> {
  let at = 12;
  while (at + 8 <= file.length) {
    yield file.toString("latin1", at, at + 4);
    const length = file.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  yield at === file.length && file.readUInt32LE(4) + 8 === at ? "end" : "more";
}

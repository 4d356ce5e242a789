import { describe, expect, test } from "bun:test";
import { crc32, inflateSync } from "node:zlib";
import { acceptImage } from "./accept-image.ts";

/** A bitmap of 40 × 20 pixels, white but for a black quarter at the top left and a gray one at the top right. */
function drawing(): Buffer {
  const [width, height] = [40, 20];
  const bytes = Buffer.alloc(54 + width * height * 3, 255);
  bytes.fill(0, 0, 54);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  // From the top row down.
  bytes.writeInt32LE(-height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let y = 0; y < height / 2; y++)
    for (let x = 0; x < width; x++)
      bytes.fill(x < width / 2 ? 0 : 128, 54 + (y * width + x) * 3, 57 + (y * width + x) * 3);
  return bytes;
}

/** Exif with an orientation, after one other entry. */
function exif(orientation: number, order: "II" | "MM"): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 24 + 4);
  const short = (value: number, at: number) =>
    order === "II" ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    order === "II" ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at);
  bytes.write(order);
  short(42, 2);
  long(8, 4);
  short(2, 8);
  for (const [index, [tag, value]] of [[0x0100, 40] as const, [0x0112, orientation] as const].entries()) {
    short(tag, 10 + index * 12);
    short(3, 12 + index * 12);
    long(1, 14 + index * 12);
    short(value, 18 + index * 12);
  }
  return bytes;
}

function pngWith(png: Uint8Array, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from("eXIf"), data]);
  const chunk = Buffer.alloc(4 + body.length + 4);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 4 + body.length);
  // Behind IHDR.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

function webpWith(webp: Uint8Array, data: Buffer): Buffer {
  const header = Buffer.alloc(18);
  header.write("VP8X");
  header.writeUInt32LE(10, 4);
  header[8] = 0x08;
  header.writeUIntLE(39, 12, 3);
  header.writeUIntLE(19, 15, 3);
  const chunk = Buffer.concat([Buffer.from("EXIF"), Buffer.alloc(4), data]);
  chunk.writeUInt32LE(data.length, 4);
  const parts = Buffer.concat([Buffer.from("WEBP"), header, webp.subarray(12), chunk]);
  const riff = Buffer.alloc(8);
  riff.write("RIFF");
  riff.writeUInt32LE(parts.length, 4);
  return Buffer.concat([riff, parts]);
}

/** Black, gray or white in the four corners, from the top left one clockwise. */
async function corners(bytes: Uint8Array): Promise<string> {
  const { width, height } = await new Bun.Image(bytes).metadata();
  const small = new Bun.Image(bytes).resize(4, 4, { filter: "nearest" });
  const { pixel } = decodedPng(Buffer.from(await small.png().bytes()));
  const names = [pixel(0, 0), pixel(3, 0), pixel(3, 3), pixel(0, 3)].map((value) =>
    value < 64 ? "b" : value < 192 ? "g" : "w",
  );
  return `${width}x${height} ${names.join("")}`;
}

/** The first channel of a PNG of 4 × 4 pixels. */
function decodedPng(png: Buffer) {
  const parts: Buffer[] = [];
  let channels = 3;
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString("latin1", at + 4, at + 8);
    if (name === "IHDR") channels = png[at + 8 + 9] === 6 ? 4 : 3;
    if (name === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = 1 + 4 * channels;
  const lines: number[][] = [];
  for (let y = 0; y < 4; y++) {
    const filter = raw[y * row] ?? 0;
    const line: number[] = [];
    for (let x = 0; x < 4 * channels; x++) {
      const value = raw[y * row + 1 + x] ?? 0;
      const left = x >= channels ? (line[x - channels] ?? 0) : 0;
      const up = lines[y - 1]?.[x] ?? 0;
      const corner = x >= channels ? (lines[y - 1]?.[x - channels] ?? 0) : 0;
      const guess = left + up - corner;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      const added = [0, left, up, Math.floor((left + up) / 2), paeth][filter] ?? 0;
      line.push((value + added) & 255);
    }
    lines.push(line);
  }
  return { pixel: (x: number, y: number) => lines[y]?.[x * channels] ?? 0 };
}

const EXPECTED: readonly string[] = [
  ...["40x20 bgww", "40x20 gbww", "40x20 wwbg", "40x20 wwgb"],
  ...["20x40 bwwg", "20x40 wbgw", "20x40 wgbw", "20x40 gwwb"],
];

describe("A picture that says how it is turned stands as it was taken:", () => {
  for (const [index, expected] of EXPECTED.entries())
    test(`orientation ${index + 1}`, async () => {
      const bitmap = new Bun.Image(drawing());
      const png = await bitmap.png().bytes();
      const webp = await bitmap.webp({ lossless: true }).bytes();
      const files = [
        pngWith(png, exif(index + 1, "II")),
        pngWith(png, exif(index + 1, "MM")),
        webpWith(webp, exif(index + 1, "MM")),
        webpWith(webp, Buffer.concat([Buffer.from("Exif\0\0"), exif(index + 1, "II")])),
      ];
      for (const file of files) {
        const { media, forms } = await acceptImage(file);
        const bytes = forms.at(-1)?.bytes ?? Buffer.alloc(0);
        expect(await corners(bytes)).toBe(expected);
        expect(`${media.width}x${media.height}`).toBe(expected.split(" ")[0] ?? "");
      }
    });

  test("and one with damaged Exif as it is", async () => {
    const png = await new Bun.Image(drawing()).png().bytes();
    const whole = exif(6, "MM");
    const far = Buffer.from(whole);
    far.writeUInt32BE(0xffff_ff00, 4);
    const many = Buffer.from(whole.subarray(0, 22));
    many.writeUInt16BE(0xffff, 8);
    for (const data of [Buffer.alloc(0), whole.subarray(0, 9), far, many, exif(9, "II"), exif(0, "II")])
      expect((await acceptImage(pngWith(png, data))).media).toMatchObject({ width: 40, height: 20 });
  });
});

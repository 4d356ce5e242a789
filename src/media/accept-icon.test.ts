import { expect, test } from "bun:test";
import { makeImage } from "../../test/support/files/images.ts";
import { acceptIcon, ICON_BYTES_MAX } from "./accept-icon.ts";
import { isBareImage } from "./bare-image.ts";

/** An icon file of Windows with one picture. */
function ico(picture: Uint8Array, { width = 4, size = picture.length, from = 22 } = {}): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(width, 6);
  head.writeUInt32LE(size, 14);
  head.writeUInt32LE(from, 18);
  return Buffer.concat([head, picture]);
}

/** A bitmap of 4 × 4 pixels as such files have it; the upper left pixel can be seen through. */
function bitmap(depth: number, { side = 4, alpha = 0 } = {}): Buffer {
  const head = Buffer.alloc(40);
  head.writeUInt32LE(40, 0);
  head.writeInt32LE(side, 4);
  head.writeInt32LE(2 * side, 8);
  head.writeUInt16LE(1, 12);
  head.writeUInt16LE(depth, 14);
  const palette = Buffer.alloc(depth > 8 ? 0 : 4 * 2 ** depth);
  for (let at = 0; at < palette.length; at += 4) palette.writeUInt32LE(0x3366cc, at);
  const pixel = Buffer.alloc(depth / 8);
  if (depth >= 24) pixel.writeUIntLE(0x3366cc, 0, 3);
  if (depth === 32) pixel.writeUInt8(alpha, 3);
  const rows = depth >= 24 ? Buffer.concat(Array(16).fill(pixel)) : Buffer.alloc(16);
  const mask = Buffer.alloc(16);
  mask.writeUInt8(0x80, 12);
  return Buffer.concat([head, palette, rows, mask]);
}

/** The pixels of a picture, as a bitmap that this test wrote and the runtime reads has them. */
async function corner(bytes: Uint8Array): Promise<{ readonly width: number; readonly height: number }> {
  const { width, height } = await new Bun.Image(bytes).metadata();
  return { width, height };
}

test("An icon becomes WebP of 32 and 16 pixels, at most 2 kB each, without anything else", async () => {
  for (const type of ["png", "jpeg", "webp"] as const) {
    const icon = await acceptIcon(await makeImage(type, { width: 180, height: 180 }));
    if (icon === undefined) throw new Error(type);
    expect(await corner(icon.large)).toEqual({ width: 32, height: 32 });
    expect(await corner(icon.small)).toEqual({ width: 16, height: 16 });
    for (const bytes of [icon.large, icon.small]) {
      expect(bytes.length).toBeLessThanOrEqual(ICON_BYTES_MAX);
      expect(isBareImage(bytes, "webp")).toBe(true);
    }
    expect(await acceptIcon(icon.large)).toEqual(icon);
  }
});

test("An icon that is not square keeps its form, a small one its size", async () => {
  const wide = await acceptIcon(await makeImage("png", { width: 64, height: 32 }));
  expect(await corner(wide?.large ?? new Uint8Array())).toEqual({ width: 32, height: 16 });
  const small = await acceptIcon(await makeImage("png", { width: 16, height: 16 }));
  expect(await corner(small?.large ?? new Uint8Array())).toEqual({ width: 16, height: 16 });
});

test.each([1, 4, 8, 24, 32])(
  "A favicon.ico with %d bits a pixel is read, with what can be seen through",
  async (depth) => {
    const icon = await acceptIcon(ico(bitmap(depth)));
    expect(icon && (await corner(icon.large))).toEqual({ width: 4, height: 4 });
    const opaque = await acceptIcon(ico(bitmap(32, { alpha: 255 })));
    expect(icon).not.toEqual(opaque);
  },
);

test("A favicon.ico with a PNG is read", async () => {
  const png = await makeImage("png", { width: 48, height: 48 });
  expect(await acceptIcon(ico(png, { width: 48 }))).toEqual(await acceptIcon(png));
});

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const REFUSED: Readonly<Record<string, () => Uint8Array | Promise<Uint8Array>>> = {
  nothing: () => new Uint8Array(),
  "an SVG": () => svg,
  "a page": () => Buffer.from("<!doctype html><title>Not found</title>"),
  "an SVG in a favicon.ico": () => ico(svg),
  "half a PNG": async () => (await makeImage("png", { width: 64, height: 64 })).subarray(0, 300),
  "a PNG that says it is enormous": async () => {
    const png = Buffer.from(await makeImage("png", { width: 64, height: 64 }));
    png.writeUInt32BE(60_000, 16);
    png.writeUInt32BE(60_000, 20);
    return png;
  },
  "a picture of two megapixels": () => makeImage("jpeg", { width: 2_000, height: 1_000 }),
  "a favicon.ico that ends before its picture": () => ico(bitmap(32), { size: 2 ** 32 - 1 }),
  "a favicon.ico whose picture is elsewhere": () => ico(bitmap(32), { from: 2 ** 31 }),
  "a favicon.ico that has nothing": () => Buffer.from([0, 0, 1, 0, 0, 0]),
  "a favicon.ico with a picture larger than its bytes": () => ico(bitmap(8, { side: 200 })),
  "a favicon.ico with an enormous picture": () => ico(bitmap(1, { side: 2 ** 29 })),
  "a favicon.ico in itself": () => ico(ico(bitmap(32))),
};
for (const [what, make] of Object.entries(REFUSED))
  test(`An icon is not ${what}`, async () => {
    expect(await acceptIcon(await make())).toBeUndefined();
  });

import { expect, test } from "bun:test";
import { makeImage, PLACE } from "../../test/support/files/images.ts";
import { acceptArchivedPicture, acceptPagePicture, PAGE_PICTURE_BYTES } from "./accept-page-picture.ts";
import { isBareImage } from "./bare-image.ts";

/** A bitmap of 480 × 252 pixels. @param strength how much neighbors may differ, up to 256: more makes larger files */
function noise(strength: number): Buffer {
  const [width, height] = [480, 252];
  const bytes = Buffer.alloc(54 + width * height * 3);
  bytes.write("BM");
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let at = 54, value = 1; at < bytes.length; at++) {
    value = (value * 1_103_515_245 + 12_345) % 2 ** 31;
    bytes[at] = (value >> 16) % strength;
  }
  return bytes;
}

const whole = { width: 480, height: 252 };

test.each([
  [
    { width: 200, height: 100 },
    { width: 200, height: 100 },
  ],
  [{ width: 199, height: 100 }, undefined],
  [{ width: 200, height: 99 }, undefined],
  [
    { width: 2_000, height: 250 },
    { width: 480, height: 60 },
  ],
  [{ width: 2_000, height: 240 }, undefined],
  [{ width: 960, height: 504 }, whole],
] as const)("The picture of a page of %p becomes one of %p", async (source, size) => {
  const picture = await acceptPagePicture(await makeImage("png", source));
  expect(picture && { width: picture.width, height: picture.height }).toEqual(size);
});

test("A picture that compresses badly loses quality until it has 48 kB, and is left out when it has more even so", async () => {
  for (const strength of [128, 160]) {
    const picture = await acceptPagePicture(await new Bun.Image(noise(strength)).png().bytes());
    expect(picture).toMatchObject(whole);
    expect(picture?.bytes.length).toBeLessThanOrEqual(PAGE_PICTURE_BYTES);
  }
  expect(await acceptPagePicture(await new Bun.Image(noise(256)).png().bytes())).toBeUndefined();
});

test("A picture from an archive stays as it is, but for what is more than pixels, and what is too large", async () => {
  const ours = (await acceptPagePicture(await makeImage("png", whole)))?.bytes ?? new Uint8Array();
  expect((await acceptArchivedPicture(ours))?.bytes).toBe(ours);
  // A site may send one that looks like ours.
  expect((await acceptPagePicture(ours))?.bytes).not.toBe(ours);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(PLACE.length + (PLACE.length % 2));
  const withPlace = Buffer.concat([
    ours,
    Buffer.from("EXIF"),
    length,
    Buffer.from(PLACE.padEnd(PLACE.length + (PLACE.length % 2))),
  ]);
  withPlace.writeUInt32LE(withPlace.length - 8, 4);
  const cleaned = (await acceptArchivedPicture(withPlace))?.bytes ?? new Uint8Array();
  expect([Buffer.from(cleaned).includes(PLACE), isBareImage(cleaned, "webp")]).toEqual([false, true]);
  const large = await new Bun.Image(noise(160)).webp({ quality: 75 }).bytes();
  expect(large.length).toBeGreaterThan(PAGE_PICTURE_BYTES);
  expect((await acceptArchivedPicture(large))?.bytes.length).toBeLessThanOrEqual(PAGE_PICTURE_BYTES);
});

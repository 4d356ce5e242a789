import { expect, test } from "bun:test";
import { makeImage, photo } from "../../test/support/files/images.ts";
import { acceptImage } from "./accept-image.ts";
import { isBareImage } from "./bare-image.ts";

test("What an upload becomes is bare in each form, and nothing can be added to it or cut off", async () => {
  for (const type of ["jpeg", "png", "webp"] as const) {
    const { media, forms } = await acceptImage(await makeImage(type, { width: 900 }));
    for (const { bytes } of forms) {
      const changed = [bytes, Buffer.concat([bytes, Buffer.from("<script>")]), bytes.subarray(0, -2)];
      expect([type, ...changed.map((file) => isBareImage(file, media.type))]).toEqual([
        type,
        true,
        false,
        false,
      ]);
    }
  }
});

test("A photo with a place, a text in a PNG, XMP in a WebP and another type are not bare", async () => {
  const png = Buffer.from(await makeImage("png"));
  const text = Buffer.from("\0\0\0\x03tEXta\0b\0\0\0\0", "latin1");
  const webp = Buffer.from(await makeImage("webp"));
  const xmp = Buffer.concat([webp, Buffer.from("XMP \x02\0\0\0<>", "latin1")]);
  xmp.writeUInt32LE(xmp.length - 8, 4);
  expect(isBareImage(await photo(), "jpg")).toBe(false);
  expect(isBareImage(Buffer.concat([png.subarray(0, 33), text, png.subarray(33)]), "png")).toBe(false);
  expect(isBareImage(xmp, "webp")).toBe(false);
  expect(isBareImage(png, "jpg")).toBe(false);
});

test("A color profile stays, and the image with it is bare", async () => {
  const jpeg = Buffer.from(await makeImage("jpeg"));
  const profile = Buffer.from("ICC_PROFILE\0\x01\x01a profile of colors", "latin1");
  const segment = Buffer.concat([Buffer.from([0xff, 0xe2, 0, profile.length + 2]), profile]);
  const { forms } = await acceptImage(Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]));
  const [{ bytes } = { bytes: jpeg }] = forms;
  expect([Buffer.from(bytes).includes("a profile of colors"), isBareImage(bytes, "jpg")]).toEqual([
    true,
    true,
  ]);
});

import { expect, test } from "bun:test";
import { makeImage } from "../../test/support/files/images.ts";
import { Refusal } from "../errors.ts";
import { acceptImage, hasTooManyPixels } from "./accept-image.ts";

test("An image with a whole beginning and a damaged end is refused", async () => {
  for (const type of ["png", "webp"] as const) {
    const whole = await makeImage(type);
    expect((await acceptImage(whole)).media).toMatchObject({ type });
    const refused = await acceptImage(whole.subarray(0, whole.length * 0.9)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect((refused as Refusal).reason).toBe("unsupported_media_type");
  }
});

test("a PNG or WebP may have 25 megapixels, and a JPEG, which is decoded at a smaller size, 50", async () => {
  for (const [type, width] of [
    ["png", 25_000],
    ["webp", 25_000],
    ["jpg", 50_000],
  ] as const)
    expect([0, 1].map((more) => hasTooManyPixels(type, { width: width + more, height: 1_000 }))).toEqual([
      false,
      true,
    ]);
  const refusal = await acceptImage(await claiming(25_001, 1_000)).catch((error: unknown) => error);
  expect((refusal as Refusal).reason).toBe("too_large");
  expect((refusal as Refusal).message).toContain("25 megapixels, or 50 as a JPEG");
});

/** A small PNG whose header has other numbers. */
async function claiming(width: number, height: number): Promise<Uint8Array> {
  const png = Buffer.from(await makeImage("png"));
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(Bun.hash.crc32(png.subarray(12, 29)), 29);
  return png;
}

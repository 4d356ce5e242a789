import { expect, test } from "bun:test";
import { messageOf } from "../../errors.ts";
import { inTurn } from "../../media/accept-image.ts";
import { stillOf } from "./still-gif.ts";

/** A GIF of one pixel: a header, two colors, an extension, a picture. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const BEHIND_COLORS = 19;

const convert = (bytes: Uint8Array) =>
  stillOf(bytes).then((still) => Buffer.from(still).toString("latin1", 1, 4), messageOf);

test("a GIF with one picture becomes PNG, and other files stay as they are", async () => {
  expect(await convert(GIF)).toBe("PNG");
  expect(await convert(Buffer.concat([GIF.subarray(0, -1), Buffer.from("more after it")]))).toBe("PNG");
  expect(await convert(Buffer.from("\x89PNG and so on", "latin1"))).toBe("PNG");
});

test("an animated, a damaged and a too large one are refused", async () => {
  const animated = Buffer.concat([GIF.subarray(0, -1), GIF.subarray(BEHIND_COLORS)]);
  expect(await convert(animated)).toBe("It is animated: only still images are accepted.");
  for (const length of [6, 12, 25, 30, 36])
    expect(await convert(GIF.subarray(0, length))).toStartWith("Only complete, non-animated");
  const large = Buffer.from(GIF);
  // The size of its picture, behind the descriptor's position.
  large.writeUInt16LE(25_001, 32);
  large.writeUInt16LE(1_000, 34);
  expect(await convert(large)).toContain("at most 25 megapixels");
});

test("one is decoded when no other image is, since each takes memory", async () => {
  const order: string[] = [];
  const before = inTurn(async () => {
    for (let turn = 0; turn < 9; turn++) await new Bun.Image(GIF).png().bytes();
    order.push("another image");
  });
  await Promise.all([before, stillOf(GIF).then(() => order.push("the GIF"))]);
  expect(order).toEqual(["another image", "the GIF"]);
});

import { expect, test } from "bun:test";
import { makeImage } from "../../test/support/files/images.ts";
import { Refusal } from "../errors.ts";
import { acceptImage } from "./accept-image.ts";

test("An image with a whole beginning and a damaged end is refused", async () => {
  for (const type of ["png", "webp"] as const) {
    const whole = await makeImage(type);
    expect((await acceptImage(whole)).media).toMatchObject({ type });
    const refused = await acceptImage(whole.subarray(0, whole.length * 0.9)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect((refused as Refusal).reason).toBe("unsupported_media_type");
  }
});

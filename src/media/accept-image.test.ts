import { expect, test } from "bun:test";
import fc from "fast-check";
import { makeImage } from "../../test/support/files/images.ts";
import { rounds } from "../../test/support/run/full-run.ts";
import { Refusal } from "../errors.ts";
import { acceptImage, checkImage } from "./accept-image.ts";

/** The refusal's code, or that the image is accepted. */
function outcomeOf(done: Promise<unknown>): Promise<string> {
  return done.then(
    () => "accepted",
    (error: unknown) => {
      if (error instanceof Refusal) return error.reason;
      throw error;
    },
  );
}

const check = (bytes: Uint8Array) => outcomeOf(checkImage(bytes, async () => false));
const accept = (bytes: Uint8Array) => outcomeOf(acceptImage(bytes));

test("An image with a whole beginning and a damaged end is refused by a check as well", async () => {
  for (const type of ["png", "webp"] as const) {
    const whole = await makeImage(type);
    expect([await check(whole), await accept(whole)]).toEqual(["accepted", "accepted"]);
    const torn = whole.subarray(0, whole.length * 0.9);
    const refused = "unsupported_media_type";
    expect([await check(torn), await accept(torn)]).toEqual([refused, refused]);
  }
});

test("A check and an import agree on damaged images", async () => {
  const wholes = await Promise.all((["jpeg", "png", "webp"] as const).map((type) => makeImage(type)));
  const outcomes = new Set<string>();
  const part = fc.nat(9_999).map((parts) => parts / 10_000);
  const change = fc.record({
    image: fc.nat(wholes.length - 1),
    changes: fc.array(fc.tuple(part, fc.nat(255)), { maxLength: 4 }),
    end: fc.oneof(fc.constant(1), part),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ image, changes, end }) => {
      const whole = wholes[image] ?? new Uint8Array();
      const bytes = Uint8Array.from(whole.subarray(0, Math.ceil(whole.length * end)));
      for (const [at, byte] of changes) bytes[Math.floor(bytes.length * at)] = byte;
      const accepted = await accept(bytes);
      outcomes.add(accepted);
      expect(await check(bytes)).toBe(accepted);
    }),
    {
      numRuns: Number(process.env.FUZZ_RUNS ?? rounds(8, 60)),
      // One that is accepted and one that is refused, whatever the others are.
      examples: [[{ image: 1, changes: [], end: 1 }], [{ image: 1, changes: [], end: 0.5 }]],
    },
  );
  expect(outcomes.size).toBeGreaterThan(1);
});

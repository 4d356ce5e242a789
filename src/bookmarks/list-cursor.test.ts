import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readCursor, writeCursor } from "./list-cursor.ts";

const EPOCH = "5bfac045";

describe("A cursor", () => {
  test("decodes to its position", () => {
    const createdAt = fc.date({
      min: new Date("1000-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    });
    const property = fc.property(createdAt, fc.integer({ min: 1, max: 2 ** 49 }), (time, id) => {
      const cursor = writeCursor(EPOCH, { createdAt: time, id });
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(readCursor(EPOCH, cursor)).toEqual({ createdAt: time, id });
    });
    fc.assert(property, { seed: 20_261_121 });
  });

  test("of another epoch is refused", () => {
    const cursor = writeCursor("before", { createdAt: new Date(0), id: 1 });
    expect(readCursor(EPOCH, cursor)).toBeUndefined();
  });

  test("that was not written by the server is refused", () => {
    const property = fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.base64String()), (word) => {
      expect(readCursor(EPOCH, word)).toBeUndefined();
    });
    fc.assert(property, { seed: 20_261_121 });
  });

  test("in another encoding is refused", () => {
    const cursor = writeCursor(EPOCH, { createdAt: new Date(7), id: 7 });
    for (const word of [`!${cursor}`, `${cursor}=`, `${cursor} `, `${cursor.slice(0, 4)}.${cursor.slice(4)}`])
      expect([word, readCursor(EPOCH, word)]).toEqual([word, undefined]);
  });

  for (const text of [
    `${EPOCH}.1`,
    `${EPOCH}.1.2.3`,
    `${EPOCH}.x.1`,
    `${EPOCH}.1.-1`,
    `.1.1`,
    `${EPOCH}.1e3.1`,
    `${EPOCH}.-0.1`,
    `${EPOCH}.01.1`,
    `${EPOCH}.1.01`,
    `${EPOCH}.253402300800000.1`,
    `${EPOCH}.-62135596800001.1`,
    `${EPOCH}.-999999999999999.1`,
  ]) {
    test(`with ${text} is refused`, () => {
      const word = Buffer.from(text).toString("base64url");
      expect(readCursor(EPOCH, word)).toBeUndefined();
    });
  }
});

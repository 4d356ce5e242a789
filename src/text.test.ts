import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countCodePoints, text, textErrors, withoutEnd } from "./text.ts";

describe("countCodePoints", () => {
  const lengths: Record<string, number> = {
    "": 0,
    abc: 3,
    é: 1,
    "e\u0301": 2,
    "😀": 1,
    "👩‍👩‍👧‍👦": 7,
    "\ud83d": 1,
    "\ude00": 1,
    "\ude00\ud83d": 2,
    "a\ud83db": 3,
    "\ud83d\ud83d\ude00": 2,
  };
  for (const [value, length] of Object.entries(lengths)) {
    test(`of ${JSON.stringify(value)} is ${length}`, () => {
      expect(countCodePoints(value)).toBe(length);
    });
  }

  test("counts code points like iteration does, for any string", () => {
    const units = fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 20 });
    const strings = fc.oneof(
      fc.string({ unit: "binary" }),
      units.map((codes) => String.fromCharCode(...codes)),
    );
    fc.assert(
      fc.property(strings, (value) => {
        expect(countCodePoints(value)).toBe([...value].length);
      }),
      { seed: 20_261_121 },
    );
  });
});

describe("textErrors", () => {
  test("finds nothing wrong with text within its bounds", () => {
    expect(textErrors("", {})).toEqual([]);
    expect(textErrors("x".repeat(100_000), {})).toEqual([]);
    expect(textErrors("😀".repeat(10), { min: 10, max: 10 })).toEqual([]);
  });

  test("counts code points against the maximum, and reports their number", () => {
    expect(textErrors("😀".repeat(11), { max: 10 })).toEqual([
      { code: "too_long", detail: "At most 10 characters; this has 11." },
    ]);
  });

  test("counts code points at the lower bound", () => {
    expect(textErrors("😀", { min: 2 })).toEqual([{ code: "too_short", detail: "At least 2 characters." }]);
    expect(textErrors("", { min: 1 })).toEqual([{ code: "too_short", detail: "May not be empty." }]);
  });

  test("reports everything at once", () => {
    expect(textErrors("\0\ud800xx", { max: 3 }).map(({ code }) => code)).toEqual([
      "bad_character",
      "bad_character",
      "too_long",
    ]);
  });
});

describe("text", () => {
  test("returns what it takes as it is", () => {
    const value = " \ufeffe\u0301\r\n ";
    expect(text().parse(value)).toBe(value);
  });

  for (const value of [1, true, null, undefined, ["x"], {}]) {
    test(`takes no ${value === null ? "null" : typeof value} for a string`, () => {
      expect(text().safeParse(value).success).toBeFalse();
    });
  }
});

test("withoutEnd takes the characters away at the end, and nowhere else", () => {
  expect(withoutEnd("/a/b//", "/")).toBe("/a/b");
  expect(withoutEnd("https://e.com/(x).),", ").,")).toBe("https://e.com/(x");
  expect(withoutEnd("//", "/")).toBe("");
  expect(withoutEnd("", "/")).toBe("");
});

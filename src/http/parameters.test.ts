import { describe, expect, test } from "bun:test";
import { PathId, queryInteger } from "./parameters.ts";

describe("PathId", () => {
  test("is a number within the safe integers, and a bigint beyond", () => {
    const ids: [digits: string, id: number | bigint][] = [
      ["7", 7],
      ["-1", -1],
      ["0007", 7],
      ["9007199254740991", 9_007_199_254_740_991],
      ["9007199254740992", 9_007_199_254_740_992n],
      ["9".repeat(30), 10n ** 30n - 1n],
    ];
    for (const [digits, id] of ids) expect(PathId.parse(digits)).toBe(id);
  });

  for (const text of ["", "-", "1.0", "1e3", "+1", " 1", "1\n", "0x1", "١", "NaN"]) {
    test(`refuses ${JSON.stringify(text)}`, () => {
      expect(PathId.safeParse(text).error?.issues[0]).toMatchObject({ params: { error: "not_an_integer" } });
    });
  }
});

describe("queryInteger", () => {
  const schema = queryInteger({ min: 1, max: 1_000, description: "How many." });

  test("accepts its bounds and the values between them", () => {
    for (const value of [1, 500, 1_000]) expect(schema.parse(String(value))).toBe(value);
  });

  test("distinguishes values out of range from those that are not integers", () => {
    const errorOf = (text: string) => schema.safeParse(text).error?.issues[0];
    for (const text of ["0", "1001", "-1", "9".repeat(400)])
      expect(errorOf(text)).toMatchObject({ params: { error: "out_of_range" } });
    for (const text of ["", "1.5", "1e2", "abc", " 1", "1\n"])
      expect(errorOf(text)).toMatchObject({ params: { error: "not_an_integer" } });
  });
});

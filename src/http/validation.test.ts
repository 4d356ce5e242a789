import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { Fault } from "../errors.ts";
import { text } from "../text.ts";
import { queryValues, refuseFaults, validate } from "./validation.ts";

describe("validate", () => {
  const schema = z.object({
    name: text({ max: 3 }),
    "a/b": z.object({ "c~d": z.array(z.string()) }).optional(),
    count: z.int().min(1).max(5).optional(),
    kind: z.enum(["one", "other"]).optional(),
  });

  test("returns the parsed value, without members that the schema does not know", () => {
    const faults: Fault[] = [];
    expect(validate(schema, { name: "abc", more: 1 }, "body", faults)).toEqual({ name: "abc" });
    expect(faults).toEqual([]);
  });

  const faulty: [description: string, value: unknown, faults: Omit<Fault, "detail">[]][] = [
    ["a member that is missing", {}, [{ pointer: "/name", code: "missing" }]],
    ["a wrong type", { name: 1 }, [{ pointer: "/name", code: "wrong_type" }]],
    ["null", { name: null }, [{ pointer: "/name", code: "wrong_type" }]],
    ["what is no object", [], [{ pointer: "", code: "wrong_type" }]],
    ["a rule of a text", { name: "abcd" }, [{ pointer: "/name", code: "too_long" }]],
    [
      "a place deep inside, by RFC 6901",
      { name: "a", "a/b": { "c~d": ["x", 1] } },
      [{ pointer: "/a~1b/c~0d/1", code: "wrong_type" }],
    ],
    ["a number out of range", { name: "a", count: 6 }, [{ pointer: "/count", code: "out_of_range" }]],
    [
      "a value that is none of a few",
      { name: "a", kind: "x" },
      [{ pointer: "/kind", code: "unknown_value" }],
    ],
    [
      "everything at once",
      { name: 1, count: 0 },
      [
        { pointer: "/name", code: "wrong_type" },
        { pointer: "/count", code: "out_of_range" },
      ],
    ],
  ];
  for (const [description, value, expected] of faulty) {
    test(`tells ${description}`, () => {
      const faults: Fault[] = [];
      expect(validate(schema, value, "body", faults)).toBeUndefined();
      expect(faults).toEqual(expected.map((fault) => ({ ...fault, detail: expect.any(String) })));
    });
  }

  test("names a parameter where it stands in the path or the query", () => {
    const faults: Fault[] = [];
    validate(schema, { name: "abcd" }, "parameters", faults);
    expect(faults).toEqual([expect.objectContaining({ parameter: "name", code: "too_long" })]);
  });
});

describe("queryValues", () => {
  const schema = z.object({ limit: z.string(), cursor: z.string() });

  test("takes the parameters that the schema knows, decoded", () => {
    const faults: Fault[] = [];
    expect(queryValues("?cursor=a%20b+c&x=1&x=2", schema, faults)).toEqual({ cursor: "a b c" });
    expect(faults).toEqual([]);
  });

  test("tells each that is given twice", () => {
    const faults: Fault[] = [];
    queryValues("?limit=1&cursor=a&limit=1&cursor=b", schema, faults);
    expect(faults.map(({ parameter, code }) => [parameter, code])).toEqual([
      ["limit", "repeated"],
      ["cursor", "repeated"],
    ]);
  });
});

describe("refuseFaults", () => {
  const fault: Fault = { pointer: "/title", code: "missing", detail: "This is required." };

  test("lets a request without faults pass", () => {
    expect(() => refuseFaults([])).not.toThrow();
  });

  test("says what is wrong when it is one thing, and how many things when it is more", () => {
    expect(() => refuseFaults([fault])).toThrow("title: This is required.");
    expect(() => refuseFaults([fault, fault])).toThrow("2 members are not valid.");
    expect(() => refuseFaults([fault, { ...fault, parameter: "id" }])).toThrow(
      expect.objectContaining({ reason: "invalid", faults: [fault, { ...fault, parameter: "id" }] }),
    );
  });
});

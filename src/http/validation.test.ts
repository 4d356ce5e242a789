import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { ValidationError } from "../errors.ts";
import { text } from "../text.ts";
import { nameList } from "./parameters.ts";
import { queryValues, throwIfInvalid, validate, validateQuery } from "./validation.ts";

describe("validate", () => {
  const schema = z.object({
    name: text({ max: 3 }),
    "a/b": z.object({ "c~d": z.array(z.string()) }).optional(),
    count: z.int().min(1).max(5).optional(),
    kind: z.enum(["one", "other"]).optional(),
  });

  test("returns the parsed value, without members outside the schema", () => {
    const errors: ValidationError[] = [];
    expect(validate(schema, { name: "abc", more: 1 }, "body", errors)).toEqual({ name: "abc" });
    expect(errors).toEqual([]);
  });

  const faulty: [description: string, value: unknown, errors: Omit<ValidationError, "detail">[]][] = [
    ["a member that is missing", {}, [{ pointer: "/name", code: "missing" }]],
    ["a wrong type", { name: 1 }, [{ pointer: "/name", code: "wrong_type" }]],
    ["null", { name: null }, [{ pointer: "/name", code: "wrong_type" }]],
    ["what is no object", [], [{ pointer: "", code: "wrong_type" }]],
    ["a rule of a text", { name: "abcd" }, [{ pointer: "/name", code: "too_long" }]],
    [
      "a location deep inside, by RFC 6901",
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
    test(`reports ${description}`, () => {
      const errors: ValidationError[] = [];
      expect(validate(schema, value, "body", errors)).toBeUndefined();
      expect(errors).toEqual(expected.map((error) => ({ ...error, detail: expect.any(String) })));
    });
  }

  const details: [schema: z.ZodType, value: unknown, detail: string][] = [
    [z.int(), 1.5, "Must be an integer."],
    [z.int(), "1", "Must be a number."],
    [z.array(z.string()), "a", "Must be an array."],
    [z.int().min(1), 0, "At least 1."],
    [z.int().max(5), 6, "At most 5."],
    [z.array(z.string()).min(1), [], "At least 1 item."],
    [z.array(z.string()).max(2), ["a", "b", "c"], "At most 2 items; this has 3."],
  ];
  for (const [schema, value, detail] of details) {
    test(`says “${detail}” of ${JSON.stringify(value)}`, () => {
      const errors: ValidationError[] = [];
      validate(schema, value, "body", errors);
      expect(errors.map((error) => error.detail)).toEqual([detail]);
    });
  }

  test("names a parameter of the path or the query", () => {
    const errors: ValidationError[] = [];
    validate(schema, { name: "abcd" }, "parameters", errors);
    expect(errors).toEqual([expect.objectContaining({ parameter: "name", code: "too_long" })]);
  });
});

describe("queryValues", () => {
  const schema = z.object({ limit: z.string(), cursor: z.string() });

  test("returns the schema's parameters, decoded", () => {
    const errors: ValidationError[] = [];
    expect(queryValues("?cursor=a%20b+c&x=1&x=2", schema, errors)).toEqual({ cursor: "a b c" });
    expect(errors).toEqual([]);
  });

  test("reports each repeated parameter", () => {
    const errors: ValidationError[] = [];
    queryValues("?limit=1&cursor=a&limit=1&cursor=b", schema, errors);
    expect(errors.map(({ parameter, code }) => [parameter, code])).toEqual([
      ["limit", "repeated"],
      ["cursor", "repeated"],
    ]);
  });

  test("joins the values of a list, repeated or with brackets", () => {
    const errors: ValidationError[] = [];
    const include = nameList(["tags", "updated_at"], "More members.").optional();
    const several = z.object({ limit: z.string(), include });
    expect(queryValues("?include=tags&include[]=updated_at&include=&limit=1", several, errors)).toEqual({
      include: "tags,updated_at",
      limit: "1",
    });
    expect(errors).toEqual([]);
  });
});

describe("validateQuery", () => {
  test("gives an empty query its defaults, and reports what it lacks", () => {
    const schema = z.object({ limit: z.string().default("20") });
    expect(["", "?x", "?limit=7"].map((search) => validateQuery(schema, search, []))).toEqual([
      { limit: "20" },
      { limit: "20" },
      { limit: "7" },
    ]);
    const errors: ValidationError[] = [];
    expect(validateQuery(z.object({ q: z.string() }), "", errors)).toBeUndefined();
    expect(errors.map(({ parameter, code }) => [parameter, code])).toEqual([["q", "missing"]]);
  });
});

describe("throwIfInvalid", () => {
  const error: ValidationError = { pointer: "/title", code: "missing", detail: "This is required." };

  test("allows a request without errors", () => {
    expect(() => throwIfInvalid([])).not.toThrow();
  });

  test("throws the message of a single error, or the number of several", () => {
    expect(() => throwIfInvalid([error])).toThrow("title: This is required.");
    expect(() => throwIfInvalid([error, error])).toThrow("2 members are not valid.");
    expect(() => throwIfInvalid([error, { ...error, parameter: "id" }])).toThrow(
      expect.objectContaining({ reason: "invalid", errors: [error, { ...error, parameter: "id" }] }),
    );
  });
});

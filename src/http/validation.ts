import { z } from "zod";
import { invalid, type ValidationCode, type ValidationError } from "../errors.ts";
import { DryRun } from "./parameters.ts";

/** The location of values in a request, which decides how an error names it. */
export type Location = "body" | "parameters";

/**
 * Checks values against a schema. Errors are collected, not thrown, so that a client gets all of them at once.
 *
 * @returns the parsed value, undefined when there were errors.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  location: Location,
  errors: ValidationError[],
): z.output<S> | undefined {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) errors.push(errorOf(issue, location));
  return undefined;
}

/**
 * The query parameters of a schema. Unknown ones are ignored, empty ones count as absent where they may be (forms
 * send every field), but for {@link DryRun}. A list may be repeated, or have `[]` behind its name; other repeated ones are
 * collected as errors.
 */
export function queryValues(
  search: string,
  schema: z.ZodObject,
  errors: ValidationError[],
): Record<string, string> {
  const values: Record<string, string> = {};
  if (search === "") return values;
  const query = new URLSearchParams(search);
  for (const [parameter, member] of Object.entries(schema.shape)) {
    const given = [...query.getAll(parameter), ...query.getAll(`${parameter}[]`)];
    if (given.length === 0) continue;
    const isList = (given.length > 1 || !query.has(parameter)) && takesSeveral(member);
    const value = isList ? given.filter((one) => one !== "").join(",") : query.get(parameter);
    if (value || (value === "" && (member === DryRun || !isOptional(member)))) values[parameter] = value;
    if (!isList && query.getAll(parameter).length > 1)
      errors.push({ parameter, code: "repeated", detail: "May occur only once." });
  }
  return values;
}

function isOptional(schema: z.core.$ZodType): boolean {
  return z.safeParse(schema, undefined).success;
}

/** Whether a parameter is a list, by its description, as of `nameList`. */
function takesSeveral(schema: z.core.$ZodType): boolean {
  return z.toJSONSchema(schema, { io: "input" }).type === "array";
}

/** Checks a query. */
export function validateQuery<S extends z.ZodObject>(
  schema: S,
  search: string,
  errors: ValidationError[],
): z.output<S> | undefined {
  const values = search === "" ? {} : queryValues(search, schema, errors);
  return validate(schema, values, "parameters", errors);
}

/** @throws Refusal `invalid` with all errors, if any */
export function throwIfInvalid(errors: readonly ValidationError[]): void {
  if (errors.length > 0) throw invalid(errors);
}

const MISSING = { code: "missing", detail: "This is required." } as const;

function errorOf(issue: z.core.$ZodIssue, location: Location): ValidationError {
  const position = issue.code === "custom" ? issue.params?.position : undefined;
  const what = { ...codeAndDetail(issue), ...(position !== undefined && { position }) };
  return location === "body"
    ? { pointer: pointerTo(issue.path), ...what }
    : { parameter: issue.path.map(String).join("."), ...what };
}

function codeAndDetail(issue: z.core.$ZodIssue): { code: ValidationCode; detail: string } {
  switch (issue.code) {
    case "custom":
      return { code: issue.params?.error ?? "wrong_type", detail: issue.message };
    case "invalid_type":
      if (issue.input === undefined) return MISSING;
      return {
        code: "wrong_type",
        detail: `Must be ${withArticle(issue.expected === "int" ? "integer" : issue.expected)}.`,
      };
    case "too_big":
      return {
        code: "out_of_range",
        detail: Array.isArray(issue.input)
          ? `At most ${itemsIn(issue.maximum)}; this has ${issue.input.length}.`
          : `At most ${issue.maximum}.`,
      };
    case "too_small":
      return {
        code: "out_of_range",
        detail: `At least ${Array.isArray(issue.input) ? itemsIn(issue.minimum) : issue.minimum}.`,
      };
    case "invalid_value":
      if (issue.input === undefined) return MISSING;
      if (typeof issue.input !== "string") return { code: "wrong_type", detail: "Must be a string." };
      return { code: "unknown_value", detail: `Must be one of ${issue.values.map(String).join(", ")}.` };
    default:
      return { code: "wrong_type", detail: issue.message };
  }
}

function itemsIn(count: number | bigint): string {
  return `${count} ${count === 1 ? "item" : "items"}`;
}

/** RFC 6901 */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

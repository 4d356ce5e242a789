import { z } from "zod";
import type { Database } from "../database/database.ts";
import { parseInstant } from "../instant.ts";
import { asIssue } from "../text.ts";

/**
 * A record's id in a path: an optional `-` and digits. Integers that name nothing (`0`, `-1`, 30 digits) are valid
 * here and fail in the look-up; ids beyond the safe integers stay exact as a bigint.
 */
export const PathId = z
  .string()
  .transform((digits, context): number | bigint => {
    if (/^-?\d+$/.test(digits)) {
      const id = Number(digits);
      return Number.isSafeInteger(id) ? id : BigInt(digits);
    }
    context.issues.push(asIssue({ code: "not_an_integer", detail: "Must be an integer." }, digits));
    return z.NEVER;
  })
  .meta({ type: "integer", minimum: 1, description: "The record's id.", example: 7 });

/** An integer in the query, within bounds. */
export function queryInteger({ min, max, description }: { min: number; max: number; description: string }) {
  return z
    .string()
    .transform((digits, context): number => {
      const value = /^-?\d+$/.test(digits) ? Number(digits) : Number.NaN;
      if (value >= min && value <= max) return value;
      context.issues.push(
        Number.isNaN(value)
          ? asIssue({ code: "not_an_integer", detail: "Must be an integer." }, digits)
          : asIssue({ code: "out_of_range", detail: `Must be from ${min} to ${max}.` }, digits),
      );
      return z.NEVER;
    })
    .meta({ type: "integer", minimum: min, maximum: max, description, example: 20 });
}

/** `?dry_run=true`: nothing is changed, and the response describes the changes as they would be. */
export const DryRun = z
  .enum(["true", "false"])
  .optional()
  .transform((value) => value === "true")
  .meta({ description: "`true` changes nothing and returns what would change.", example: "true" });

/** A query parameter with names separated by commas. An unknown name is an error. */
export function nameList<Name extends string>(known: readonly Name[], description: string) {
  const isKnown = (name: string): name is Name => (known as readonly string[]).includes(name);
  return z
    .string()
    .transform((value, context): Name[] => {
      const given = value.split(",");
      if (given.every(isKnown)) return given;
      const detail = `Must be one or more of ${known.join(", ")}, separated by commas.`;
      context.issues.push(asIssue({ code: "unknown_value", detail }, value));
      return z.NEVER;
    })
    .meta({
      type: "array",
      items: { type: "string", enum: known },
      description,
      example: known.slice(0, 2),
    });
}

/**
 * A raw query with one parameter set; the others stay as sent, so that links repeat the client's query. Characters
 * that RFC 3986 (section 3.4) does not allow are percent-encoded.
 *
 * @param search with its `?`, or empty
 */
export function withParameter(search: string, name: string, value: string): string {
  const pairs = search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "");
  const set = `${name}=${encodeURIComponent(value)}`;
  const at = pairs.findIndex((pair) => nameOf(pair) === name);
  const others = pairs.filter((pair) => nameOf(pair) !== name).map(encoded);
  return `?${(at === -1 ? [...others, set] : others.toSpliced(at, 0, set)).join("&")}`;
}

function nameOf(pair: string): string | undefined {
  return new URLSearchParams(pair).keys().next().value;
}

function encoded(pair: string): string {
  return pair
    .replace(/%(?![0-9A-Fa-f]{2})/g, "%25")
    .replace(/[^\w\-.~:/?@!$&'()*+,;=%]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/**
 * A datetime of a request: RFC 3339 with an offset.
 * @param refusalOf why a valid one is out of range, if it is
 */
export function instantMember(description: string, refusalOf?: (instant: Date) => string | undefined) {
  return z
    .string()
    .transform((input, context): Date => {
      const instant = parseInstant(input);
      const detail = instant === undefined ? NOT_AN_INSTANT : refusalOf?.(instant);
      if (instant !== undefined && detail === undefined) return instant;
      const code = instant === undefined ? "datetime_invalid" : "out_of_range";
      context.issues.push(asIssue({ code, detail: detail ?? NOT_AN_INSTANT }, input));
      return z.NEVER;
    })
    .meta({ format: "date-time", description, examples: ["2026-11-21T06:40:12.345Z"] });
}

const NOT_AN_INSTANT =
  "Must be an RFC 3339 date and time of the years 1970 to 9999, such as 2026-11-21T06:40:12Z.";

/** A datetime of a request at which something ends, in the future. */
export function futureInstant({ clock }: Pick<Database, "clock">) {
  return instantMember("RFC 3339, in the future.", (instant) =>
    instant.getTime() <= clock.now().getTime() ? "Must be in the future." : undefined,
  );
}

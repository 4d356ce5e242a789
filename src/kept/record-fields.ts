import { z } from "zod";
import { parseInstant } from "../instant.ts";
import { asIssue, text } from "../text.ts";

/** An instant within the years 1970 to 9999; the parsed value is in UTC with milliseconds. */
export const instant = z.string().transform((input, context) => {
  const date = parseInstant(input);
  if (date !== undefined) return date.toISOString();
  const detail = "Must be an RFC 3339 date and time of the years 1970 to 9999.";
  context.issues.push(asIssue({ code: "datetime_invalid", detail }, input));
  return z.NEVER;
});

/** The name of an account, if a record has one. */
export const optionalUsername = text({ min: 1, max: 64 }).nullable().default(null);

/** The version of a record: one higher after each change. */
export const recordVersion = z
  .int()
  .min(1)
  .max(2 ** 40);

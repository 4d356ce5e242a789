import { z } from "zod";
import { VALIDATION_CODES, type ValidationCode } from "../../errors.ts";

/** What each code of an error means, in the words of docs/errors.md. */
const validationCodes: Readonly<Record<ValidationCode, string>> = {
  missing: "A required member or parameter is missing.",
  wrong_type: "The JSON type is wrong. Types are never converted.",
  too_long: "Too many characters (Unicode code points).",
  too_short: "Too few characters (Unicode code points).",
  bad_character: "U+0000, an unpaired surrogate, or a control character in a URL.",
  url_invalid: "Not an absolute URL.",
  url_scheme: "The URL scheme is not `http` or `https`.",
  not_an_integer: "A path or query parameter is not an integer.",
  out_of_range: "The number is too small or too large.",
  unknown_value: "Not one of the allowed values.",
  repeated: "A query parameter occurs more than once.",
  bad_cursor: "The `cursor` is invalid or expired. Start again without one.",
  key_reused: "The `Idempotency-Key` was used with a different body before.",
  unconfirmed: "The change affects more than 10,000 bookmarks, and `confirm` is not their number.",
  wrong_password: "The current password is wrong.",
  datetime_invalid: "Not an RFC 3339 date and time with an offset.",
  slug_invalid:
    "Not lower-case letters and digits joined by hyphens, or the path of one of the server's own pages.",
  tag_invalid: "Not a valid tag name.",
  not_a_draft: "The post is already published.",
  no_copies:
    "A search query asks for copies or marks, which the caller may not read, or which are never shared.",
  unclosed_quote: "A quotation mark in a search query is not closed.",
  unclosed_group: "A parenthesis in a search query is not closed.",
  unexpected: "Something in a search query is missing or left over: `a OR`, `)`.",
  bad_date: "Not a day of the calendar; in a search query, not a year, month or day.",
  too_complex: "A search query has too many terms or words, or groups too deep.",
};

const ValidationError = z
  .looseObject({
    pointer: z
      .string()
      .optional()
      .describe("The location in the body, an RFC 6901 pointer; empty for the whole body."),
    parameter: z.string().optional().describe("The name of the parameter, if the error is not in the body."),
    code: z
      .enum(VALIDATION_CODES)
      .meta({ description: `The error code, for programs.\n\n${validationCodeList()}` }),
    detail: z.string().describe("The error message, for people."),
    position: z.int().optional().describe("The position in a search query, in code points from its start."),
  })
  .meta({ id: "ValidationError", description: "A validation error: its location, code and message." });

/** An error as it leaves the server (RFC 9457). */
export const Problem = z
  .looseObject({
    type: z.literal("about:blank"),
    title: z.string().describe("The name of the status code."),
    status: z.int().describe("The status code."),
    detail: z.string().describe("The error message, for people."),
    errors: z.array(ValidationError).optional().describe("With 422: all validation errors."),
  })
  .meta({ id: "Problem", description: "An error (RFC 9457, problem details)." });

function validationCodeList(): string {
  return Object.entries(validationCodes)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join("\n");
}

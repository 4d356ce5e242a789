import { z } from "zod";
import { VALIDATION_CODES, type ValidationCode } from "../../errors.ts";

/** What each code of an error means, in the words of docs/errors.md. */
const validationCodes: Readonly<Record<ValidationCode, string>> = {
  missing: "A member or parameter that is required is not there.",
  wrong_type: "It is there, but of another JSON type. Nothing is converted.",
  too_long: "More characters (Unicode code points) than fit.",
  too_short: "Fewer characters than needed.",
  bad_character: "U+0000, an unpaired surrogate, or a control character in a URL.",
  url_invalid: "Not an absolute URL.",
  url_scheme: "A URL of a scheme other than `http` and `https`.",
  not_an_integer: "A path or query parameter that must be an integer is none.",
  out_of_range: "A number below or above what is taken.",
  unknown_value: "None of the values that are known here.",
  repeated: "A query parameter was given more than once.",
  bad_cursor: "The `cursor` is not, or no longer, valid; start again without.",
  key_reused: "The `Idempotency-Key` came with another body before.",
  name_taken: "A comment without an account bears an account's name.",
  datetime_invalid: "Not an RFC 3339 date and time with an offset.",
  slug_invalid: "Not lower-case letters and digits joined by hyphens, or a page of the server stands there.",
  tag_invalid: "Not a name that a tag can have.",
  not_a_draft: "The post is published already.",
};

const ValidationError = z
  .looseObject({
    pointer: z
      .string()
      .optional()
      .describe("Where in the body: an RFC 6901 pointer; empty for the whole body."),
    parameter: z.string().optional().describe("Or which parameter, by its name."),
    code: z
      .enum(VALIDATION_CODES)
      .meta({ description: `What is wrong, for programs.\n\n${validationCodeList()}` }),
    detail: z.string().describe("What is wrong, for people."),
  })
  .meta({ id: "ValidationError", description: "One error of a request: where it is, and what." });

/** An error as it leaves the server (RFC 9457). */
export const Problem = z
  .looseObject({
    type: z.literal("about:blank"),
    title: z.string().describe("The name of the status."),
    status: z.int().describe("The status, as in the answer's first line."),
    detail: z.string().describe("What is wrong, for people."),
    errors: z.array(ValidationError).optional().describe("With 422: every error at once."),
  })
  .meta({ id: "Problem", description: "An error (RFC 9457, problem details)." });

function validationCodeList(): string {
  return Object.entries(validationCodes)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join("\n");
}

import { z } from "zod";
import type { ValidationCode } from "../../errors.ts";
import { parseInstant } from "../../instant.ts";
import { asIssue, textErrors, WEB_URL } from "../../text.ts";

/** The maximum length of a URL. */
const URL_MAX = 2_000;

/** A JSON string with a custom rule. @param reject returns an error message, or undefined if the string is valid */
export function checkedText(
  reject: (value: string) => string | undefined,
  code: ValidationCode,
): z.ZodString {
  return z.string().check((context) => {
    const [error] = textErrors(context.value, {});
    const detail = error === undefined ? reject(context.value) : undefined;
    if (error !== undefined) context.issues.push(asIssue(error, context.value));
    else if (detail !== undefined) context.issues.push(asIssue({ code, detail }, context.value));
  });
}

/**
 * A JSON string that is an absolute http or https URL; the parsed value is its text form by the URL standard.
 * @param otherwise accepts other values; it is called first
 */
export function webUrlMember(otherwise: (value: string) => string | undefined = () => undefined) {
  return (
    z
      .string()
      .transform((input, context) => {
        const taken = otherwise(input);
        if (taken !== undefined) return taken;
        const address = input.trim();
        const [error] = textErrors(address, { max: URL_MAX });
        const parsed = error === undefined ? URL.parse(address) : null;
        if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed.href;
        const found =
          error ??
          (parsed === null
            ? ({
                code: "url_invalid",
                detail: "Not an absolute URL such as https://example.com/.",
              } as const)
            : ({ code: "url_scheme", detail: "Only http and https URLs are accepted." } as const));
        context.issues.push(asIssue(found, input));
        return z.NEVER;
      })
      // What a strict client may send. More is accepted: any URL of the WHATWG URL standard.
      .meta({ format: "uri", pattern: WEB_URL, maxLength: URL_MAX })
  );
}

/** An instant as a client sends it: RFC 3339 with an offset; the parsed value has whole milliseconds. */
export function instantMember(description: string) {
  return z
    .string()
    .transform((input, context): Date => {
      const date = parseInstant(input);
      if (date !== undefined) return date;
      context.issues.push(
        asIssue(
          {
            code: "datetime_invalid",
            detail:
              "Must be an RFC 3339 date and time of the years 1970 to 9999, such as 2026-11-21T06:40:12Z.",
          },
          input,
        ),
      );
      return z.NEVER;
    })
    .meta({ format: "date-time", description, examples: ["2026-11-21T06:40:12.345Z"] });
}

import { z } from "zod";
import { asIssue, type TextError, textErrors, WEB_URL } from "../text.ts";

/** The maximum length of the text form of a URL (bookmark specification, section 8). */
export const URL_MAX = 500;

/**
 * Parses an address by the WHATWG URL standard and returns its text form (`href`), the form in which it
 * is stored and returned. Only `http` and `https`. C0 controls and spaces around it are forgiven, as the
 * standard does, but for U+0000; a control character inside is refused, where the standard would silently drop some.
 */
export function parseWebUrl(input: string): { href: string } | { error: TextError } {
  const [error] = textErrors(input, {});
  if (error) return { error };
  const address = trimControls(input);
  if (/\p{Cc}/u.test(address))
    return { error: { code: "bad_character", detail: "A URL may not contain control characters." } };
  const url = URL.parse(address);
  if (url === null) {
    return {
      error: { code: "url_invalid", detail: "Not an absolute URL such as https://example.com/." },
    };
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { error: { code: "url_scheme", detail: "Only http and https URLs are kept here." } };
  const { href } = url;
  if (href.length > URL_MAX) {
    return {
      error: {
        code: "too_long",
        detail: `At most ${URL_MAX} characters once normalized and percent-encoded; this has ${href.length}.`,
      },
    };
  }
  return { href };
}

/** An address as people type it: `example.org/page` becomes `https://example.org/page`. */
export function withScheme(typed: string): string {
  const address = typed.trim();
  const isBare = /^[\w.\u0080-\uffff-]+(?::\d{1,5})?(?:[/?#]|$)/.test(address) && address.includes(".");
  return isBare ? `https://${address}` : address;
}

/** A JSON string that {@link parseWebUrl} accepts; the parsed value is its text form. */
export const webUrl = z
  .string()
  .transform((input, context) => {
    const parsed = parseWebUrl(input);
    if ("href" in parsed) return parsed.href;
    context.issues.push(asIssue(parsed.error, input));
    return z.NEVER;
  })
  .meta({
    // What a strict client may send. More is accepted: any URL of the WHATWG URL standard, such as ?q=a|b.
    format: "uri",
    pattern: WEB_URL,
    maxLength: URL_MAX,
    description: `An absolute http or https URL of at most ${URL_MAX} characters, as serialized by the WHATWG URL standard.`,
  });

/** Leading and trailing C0 controls and spaces, as the URL standard's basic parser removes them. */
function trimControls(input: string): string {
  let start = 0;
  let end = input.length;
  while (start < end && input.charCodeAt(start) <= 0x20) start++;
  while (end > start && input.charCodeAt(end - 1) <= 0x20) end--;
  return input.slice(start, end);
}

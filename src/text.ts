import { z } from "zod";
import type { ValidationCode } from "./errors.ts";

/** The code and sentence of a validation error, carried through Zod by a custom issue. */
export interface TextError {
  readonly code: ValidationCode;
  readonly detail: string;
  /** Where in the text, in code points from its beginning, when that is known. */
  readonly position?: number;
}

/** Length bounds in Unicode code points, both inclusive. */
export interface TextBounds {
  readonly min?: number;
  readonly max?: number;
}

/**
 * A JSON string that every engine stores unchanged: no U+0000, no unpaired surrogate, and a length within bounds,
 * counted in Unicode code points. Nothing is trimmed or normalized.
 */
export function text(bounds: TextBounds = {}): z.ZodString {
  const schema = z.string().check((context) => {
    for (const error of textErrors(context.value, bounds)) context.issues.push(asIssue(error, context.value));
  });
  return schema.meta({
    ...(bounds.min === undefined ? {} : { minLength: bounds.min }),
    ...(bounds.max === undefined ? {} : { maxLength: bounds.max }),
  });
}

/** How the URLs begin that are accepted, as a pattern for the OpenAPI document. */
export const WEB_URL = "^[Hh][Tt][Tt][Pp][Ss]?://";
/**
 * The format of such a URL in a request, in the OpenAPI document. Not `uri`: clients and gateways that check that one refuse what
 * the WHATWG URL standard takes, such as `?q=a|b`.
 */
export const WEB_URL_FORMAT = "web-url";

/** A datetime in responses: RFC 3339, UTC, milliseconds. */
export const Timestamp = z.string().meta({
  format: "date-time",
  description: "RFC 3339, UTC, with milliseconds.",
  examples: ["2026-11-21T06:40:12.345Z"],
});

/**
 * A text without these characters at its end. A pattern such as `/x+$/` would look at each run of them from each of its
 * characters.
 */
export function withoutEnd(value: string, characters: string): string {
  let end = value.length;
  while (end > 0 && characters.includes(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

/** All validation errors of a text; empty when it is valid. */
export function textErrors(
  value: string,
  { min = 0, max = Number.POSITIVE_INFINITY }: TextBounds,
): TextError[] {
  const errors: TextError[] = [];
  if (value.includes("\0")) errors.push({ code: "bad_character", detail: "U+0000 is not allowed." });
  if (!value.isWellFormed())
    errors.push({ code: "bad_character", detail: "Unpaired surrogates are not allowed." });
  if (value.length > max) {
    const length = countCodePoints(value);
    if (length > max)
      errors.push({ code: "too_long", detail: `At most ${max} characters; this has ${length}.` });
  }
  if (min > 0 && countCodePoints(value) < min)
    errors.push({
      code: "too_short",
      detail: min === 1 ? "May not be empty." : `At least ${min} characters.`,
    });
  return errors;
}

/** The length of a text in Unicode code points. */
export function countCodePoints(value: string): number {
  let count = 0;
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index);
    const next = value.charCodeAt(index + 1);
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) index++;
    count++;
  }
  return count;
}

/** A text error as a Zod issue; `http/validation.ts` reads `params` back. */
export function asIssue(error: TextError, input: unknown) {
  return {
    code: "custom" as const,
    input,
    message: error.detail,
    params: { error: error.code, position: error.position },
  };
}

/** Decodes percent-encoding (RFC 3986). Text in which it is malformed is returned unchanged. */
export function decodeIfValid(text: string, decode: (text: string) => string = decodeURIComponent): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}

/** Whether there is more than spaces, accents without a letter, and signs that show nothing. */
export function isReadable(text: string): boolean {
  return /[^\p{Cc}\p{Cf}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u.test(
    text,
  );
}

/** Words read in a minute; scripts without spaces are counted by the character. */
const WORDS_PER_MINUTE = 230;
const CHARACTERS_PER_MINUTE = 500;

/** The words of a text as far as reading takes time: a character of a script without spaces is about half a word. */
export function countWords(text: string): number {
  const unspaced = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0;
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu)?.length ?? 0;
  const spaced = Math.max(words - unspaced, 0);
  return spaced + (unspaced / CHARACTERS_PER_MINUTE) * WORDS_PER_MINUTE;
}

/** The time that reading takes, in whole minutes, at least 1. */
export function minutesToRead(words: number): number {
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}

/** Letters that Unicode does not decompose into a Latin letter and an accent. */
export const LATIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

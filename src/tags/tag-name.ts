import { countCodePoints } from "../text.ts";

/** The maximum number of characters (Unicode code points) of a tag name; a longer hashtag is plain text. */
export const TAG_NAME_MAX = 200;

/** The characters, for a pattern, with which a name neither begins nor ends; all but the comma are nowhere in it. */
export const NOT_IN_TAGS = ",\\s\\x00-\\x1f\\x7f-\\x9f";

// A mark cannot come first: it would combine with the `#`, as in the keycap emoji.
const LEADING = /^[#\p{M}\s\p{Cc}]+/u;
const DASHES = /^-*$/;
const BLANKS = /[\s\p{Cc}]+/u;

/**
 * Converts free text to a tag name: its words joined by `-`, without a leading `#` and commas at the end of words,
 * truncated after {@link TAG_NAME_MAX} characters. `/` nests.
 * @returns null when nothing remains
 */
export function makeTagName(text: string): string | null {
  const words = text.toWellFormed().replace(LEADING, "").split(BLANKS).map(withoutClosingCommas);
  const said = words.length > 1 ? words.filter((word) => !DASHES.test(word)) : words;
  const name = said.join("-");
  const cut = name.length > TAG_NAME_MAX ? Array.from(name).slice(0, TAG_NAME_MAX).join("") : name;
  const tagName = withoutClosingCommas(cut);
  return isTagName(tagName) ? tagName : null;
}

/** Whether a text is a valid tag name: a word of the tag line without its `#`. */
export function isTagName(text: string): boolean {
  return (
    text !== "" &&
    !/^[#\p{M}]|,$|[\s\p{Cc}]/u.test(text) &&
    (text.length <= TAG_NAME_MAX || countCodePoints(text) <= TAG_NAME_MAX)
  );
}

/** A name without the commas at its end: people separate tags with them. */
export function withoutClosingCommas(name: string): string {
  // A loop, since a pattern anchored at the end (/,+$/) would take quadratic time.
  let end = name.length;
  while (end > 0 && name.charAt(end - 1) === ",") end--;
  return name.slice(0, end);
}

/** The form in which tag names are compared, ignoring case and Unicode normalization. */
export function tagKey(name: string): string {
  // `ΟΔΟΣ` becomes `οδος` with a final sigma only where a word ends.
  return name.toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** Whether a tag is another one or below it, as `dev/js` is below `dev`. Both are keys. */
export function isAtOrBelow(key: string, ancestor: string): boolean {
  return key === ancestor || key.startsWith(`${ancestor}/`);
}

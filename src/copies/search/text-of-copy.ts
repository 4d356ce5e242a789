import { decodeHTMLStrict } from "entities";
import { PHRASES } from "../../decoding/html-tags.ts";

/**
 * The words of the sanitized HTML of a copy, with a line feed between blocks. Its markup is our own: in attributes, `<` and `>`
 * are escaped.
 */
export function textOfCopy(html: string): string {
  const text = html.replace(/<[^<>]*>/g, (tag) => (PHRASES.test(tag) ? "" : "\n"));
  const lines = decodeHTMLStrict(text)
    .split("\n")
    .map((line) => line.trim());
  return lines.filter((line) => line !== "").join("\n");
}

/**
 * The characters of a copy that are searched, markup included: the index has its first 10,000 words. A copy may have twenty times
 * as many characters, and a page of results dozens of such copies.
 */
const SEARCHED_MAX = 1_000_000;

/** The beginning of {@link textOfCopy}, as far as it is searched. */
export function searchedText(html: string): string {
  if (html.length <= SEARCHED_MAX) return textOfCopy(html);
  const beginning = html.slice(0, SEARCHED_MAX);
  const tag = beginning.lastIndexOf("<");
  // Half of a tag would be read as words.
  return textOfCopy(tag > beginning.lastIndexOf(">") ? beginning.slice(0, tag) : beginning);
}

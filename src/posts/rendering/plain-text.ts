import { decodeHTML } from "entities";

/** Of a longer text only the beginning is taken, in UTF-16 units. */
const MAX = 100_000;

/** Tags inside a word or beside a full stop; others end a line. */
const INLINE =
  /<\/?(?:a|abbr|b|cite|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u)(?=[\s>])[^>]*>/g;

/** The text of a post's safe HTML. It is text: to be escaped like any other. */
export function plainTextOf(html: string): string {
  const text = html
    .slice(0, MAX)
    .replace(INLINE, "")
    .replace(/<[^>]*>?/g, " ");
  return decodeHTML(text).replace(/\s+/g, " ").trim();
}

import { decodeHTML } from "entities";

/** The maximum length of the converted beginning, in UTF-16 units. */
const MAX = 100_000;

/** Inline elements, which may be inside a word; other tags end a line. */
const INLINE =
  /<\/?(?:a|abbr|b|cite|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u)(?=[\s>])[^<>]*>/g;

/** Converts a post's safe HTML to plain text, which must be escaped like any other. */
export function htmlToPlainText(html: string): string {
  const text = html
    .slice(0, MAX)
    .replace(INLINE, "")
    .replace(/<[^>]*>?/g, " ");
  return decodeHTML(text).replace(/\s+/g, " ").trim();
}

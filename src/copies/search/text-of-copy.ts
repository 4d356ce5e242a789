import { decodeHTMLStrict } from "entities";

/** Elements within a line; all others are blocks. */
const PHRASES =
  /^<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|ruby|rb|rp|rt|rtc|s|samp|small|span|strong|sub|sup|time|u|var|wbr|math|m[a-z]+|semantics)[\s>/]/;

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

/**
 * Replaces the content between pairs of delimiters, such as `<pre>` and `</pre>`, in linear time even for a hostile
 * text with a million unclosed ones.
 *
 * @param opening matches an opening delimiter; a global pattern
 * @param closingOf the closing delimiter of an opening one, as the source of a case-insensitive pattern
 * @param replace gets the match of the opening delimiter, the content and the whole; unclosed ones stay
 */
export function replaceBetween(
  text: string,
  opening: RegExp,
  closingOf: (open: RegExpExecArray) => string,
  replace: (open: RegExpExecArray, inner: string, whole: string) => string,
): string {
  const search = new RegExp(opening.source, opening.flags);
  /** Closing delimiters that do not occur again. */
  const gone = new Set<string>();
  let result = "";
  let end = 0;
  for (let open = search.exec(text); open !== null; open = search.exec(text)) {
    const closing = closingOf(open);
    if (gone.has(closing)) continue;
    const close = new RegExp(closing, "gim");
    close.lastIndex = search.lastIndex;
    const found = close.exec(text);
    if (found === null) {
      gone.add(closing);
      continue;
    }
    const whole = text.slice(open.index, close.lastIndex);
    result += text.slice(end, open.index) + replace(open, text.slice(search.lastIndex, found.index), whole);
    end = close.lastIndex;
    search.lastIndex = end;
  }
  return result + text.slice(end);
}

/** Elements whose content is not HTML, or is preformatted. */
const OPAQUE = /<(pre|script|style|textarea|code)(?=[\s>])[^<>]*>|<!--/gi;

/**
 * Replaces comments, and elements whose content is not parsed, as a whole.
 * @param names which elements; `!--` for comments
 */
export function replaceOpaque(
  html: string,
  names: readonly string[],
  replace: (whole: string) => string,
): string {
  return replaceBetween(
    html,
    OPAQUE,
    ([, name]) => (name === undefined ? "-->" : `</${name.toLowerCase()}\\s*>`),
    ([, name = "!--"], _, whole) => (names.includes(name.toLowerCase()) ? replace(whole) : whole),
  );
}

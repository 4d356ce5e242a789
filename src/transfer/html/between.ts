/**
 * Replaces what stands between pairs of marks, such as `<pre>` and `</pre>`, in time that grows with the text alone, also
 * when a hostile text has a million openings and no end.
 *
 * @param opening matches an opening mark; global
 * @param closingOf the closing mark of an opening one, as the source of a pattern without regard to case
 * @param replace gets the opening mark's match, what stands between, and the whole; an unclosed opening stays
 */
export function replaceBetween(
  text: string,
  opening: RegExp,
  closingOf: (open: RegExpExecArray) => string,
  replace: (open: RegExpExecArray, inner: string, whole: string) => string,
): string {
  const search = new RegExp(opening.source, opening.flags);
  /** Closing marks that do not come again. */
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

/** Elements whose text is no HTML, or preformatted. */
const OPAQUE = /<(pre|script|style|textarea|code)(?=[\s>])[^<>]*>|<!--/gi;

/**
 * Replaces elements whose content is taken as it stands, and comments, whole.
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

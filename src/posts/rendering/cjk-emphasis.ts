import type { MarkdownIt as Markdown } from "markdown-it";

/**
 * A character of Chinese, Japanese or Korean, its punctuation included: East Asian Width W, F or H without emoji, or Hangul, as of
 * Unicode 17.
 */
const CJK =
  "[[\\u1100-\\u11FF\\u20A9\\u2329\\u232A\\u2630-\\u2637\\u268A-\\u268F\\u2E80-\\u303E\\u3041-\\uA4C6\\uA960-\\uA97C\\uAC00-\\uD7FB" +
  "\\uF900-\\uFAFF\\uFE10-\\uFE19\\uFE30-\\uFE6B\\uFF01-\\uFFEE\\u{16FE0}-\\u{18DF2}\\u{1AFF0}-\\u{1B2FB}\\u{1D300}-\\u{1D376}" +
  "\\u{1F200}-\\u{1F265}\\u{20000}-\\u{3FFFD}]--\\p{Emoji_Presentation}]";
/** Variation selectors follow a character; quotation marks with one are fullwidth. */
const BEFORE = new RegExp(`(?:${CJK}[\\uFE00-\\uFE0E]?|[‘’“”]\\uFE01|[\\u{E0100}-\\u{E01EF}])$`, "v");
const AFTER = new RegExp(`^${CJK}`, "v");

/**
 * A markdown-it plugin: `*`, `**` and `~~` beside a Chinese, Japanese or Korean character open and close emphasis. CommonMark wants
 * white space or punctuation there, which these scripts do not write. The rule is that of the CommonMark CJK-friendly amendments
 * (github.com/tats-u/markdown-cjk-friendly); texts without such characters are not affected.
 */
export function cjkEmphasis(markdown: Markdown): void {
  const { State } = markdown.inline;
  markdown.inline.State = class extends State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const found = super.scanDelims(start, canSplitWord);
      if (!canSplitWord || (found.can_open && found.can_close)) return found;
      const before = this.src.slice(Math.max(0, start - 3), start);
      const end = start + found.length;
      const after = this.src.slice(end, Math.min(end + 2, this.posMax));
      if (!/\S$/.test(before) || !/^\S/.test(after)) return found;
      return BEFORE.test(before) || AFTER.test(after) ? { ...found, can_open: true, can_close: true } : found;
    }
  };
}

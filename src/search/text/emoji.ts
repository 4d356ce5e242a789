/** Pictures that are emoji, without the signs of ordinary text that Unicode counts among them, such as `™`, `↔` and `Ⓜ`. */
const PICTURE =
  "[[\\p{Emoji}&&\\p{Extended_Pictographic}]--[\\0-\\u{22ff}\\u{24c2}\\u{3030}\\u{303d}\\u{3297}\\u{3299}]]";
/** What may follow a picture: the tone of the skin, variation selectors, and the letters of a regional flag. */
const ADDED = "[\\p{Emoji_Modifier}\\u{fe0e}\\u{fe0f}\\u{e0020}-\\u{e007f}]*";

/** An emoji (unicode.org/reports/tr51): a flag, a keycap, or pictures with joiners. Needs the flag `v`. */
export const EMOJI = `\\p{RI}{2}|[0-9#*]\\u{fe0f}?\\u{20e3}|${PICTURE}${ADDED}(?:\\u{200d}\\p{Extended_Pictographic}${ADDED})*`;

const UNCOMPARED = /[\p{Emoji_Modifier}\u{fe0e}\u{fe0f}]/gv;
const KEYCAP = /^([\0-\x7f])\u{20e3}$/v;

/**
 * The form in which emoji are compared: without the tone of the skin and without variation selectors, which many
 * keyboards leave out. A keycap gets a fullwidth sign: `#` begins marks, and FTS5 takes no `*` into words.
 */
export function foldEmoji(emoji: string): string {
  return emoji
    .replace(UNCOMPARED, "")
    .replace(KEYCAP, (_, sign: string) => `${String.fromCharCode(sign.charCodeAt(0) + 0xfee0)}\u{20e3}`);
}

import { EMOJI } from "../text/emoji.ts";
import { WORD } from "../text/tokens.ts";

/** The maximum number of words; with more, little is found. */
const WORDS_MAX = 10;

const WORDS = new RegExp(`${EMOJI}|${WORD}`, "gv");

/** The words of a text that cannot be read as a query, as a query. */
export function plainWords(text: string): string {
  const words = text.match(WORDS) ?? [];
  return words
    .filter((word) => !/^(?:AND|OR|NOT)$/.test(word))
    .slice(0, WORDS_MAX)
    .join(" ");
}

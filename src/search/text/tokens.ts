import { EMOJI, foldEmoji } from "./emoji.ts";
import { fold, UNSEEN } from "./fold.ts";

/** A token of a text, with its range in UTF-16 code units. */
export interface Token {
  /** The folded text: it may differ from the text in the range. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /**
   * Whether the token is outside the sequence of words, and phrases ignore it: `c` of `c++`, the last character of a
   * word in a script without spaces, and every emoji. A query has none of these but emoji.
   */
  readonly isExtra: boolean;
  /** Whether the token is an emoji: a word that decorates others, so `deep 🌊 river` has the phrase `deep river`. */
  readonly isEmoji: boolean;
  /** Whether the token is a single character of a script without spaces. In a query, it is a prefix. */
  readonly isOpen: boolean;
}

/** The maximum length of a word. A longer word is cut, so that every engine can store it. */
const WORD_MAX = 64;

/** A word, as a pattern with the flag `v`. */
export const WORD = `[\\p{L}\\p{M}\\p{N}]+(?:${UNSEEN}+[\\p{L}\\p{M}\\p{N}]+)*`;
// Names such as `c++` and `f#`: the signs after a word belong to it unless a letter or digit follows.
const WORDS = new RegExp(`(${EMOJI})|(${WORD})(?:(\\+{1,2}|#)(?![\\p{L}\\p{M}\\p{N}+#]))?`, "gv");
const ASCII_WORDS = /([A-Za-z0-9]+)(?:(\+{1,2}|#)(?![A-Za-z0-9+#]))?/g;
const ASCII = /^[\0-\x7f]*$/;

const UNSPACED_CLASS =
  "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Hang}";
// Each script class includes shared digits and marks, so a run must begin with a letter of the script.
const STRETCHES = new RegExp(`((?=\\p{L})[${UNSPACED_CLASS}](?:[${UNSPACED_CLASS}\\p{M}]|${UNSEEN})*)`, "gv");
const UNSPACED = new RegExp(`(?=\\p{L})[${UNSPACED_CLASS}]`, "v");
/** A character with its combining marks, and what is not seen after it. */
const CHARACTERS = new RegExp(`.(?:\\p{M}|${UNSEEN})*`, "gsv");

/**
 * The tokens of a text, in order. A lone surrogate is not a character. Both engines share this tokenizer;
 * `Intl.Segmenter` is not used, since its dictionary changes with the runtime.
 * @param max stop after the word that reaches this number of tokens
 */
export function tokenize(text: string, max = Number.POSITIVE_INFINITY): Token[] {
  const tokens: Token[] = [];
  if (ASCII.test(text)) {
    // The common case: folding changes only the case, and no positions.
    for (const match of text.toLowerCase().matchAll(ASCII_WORDS)) {
      const [, word = "", sign] = match;
      addWord(tokens, word.length > WORD_MAX ? cut(word) : word, sign, match.index, word.length);
      if (tokens.length >= max) break;
    }
    return tokens;
  }
  for (const match of text.matchAll(WORDS)) {
    const [, emoji, word = "", sign] = match;
    if (emoji !== undefined) {
      const start = match.index;
      const text = cut(foldEmoji(emoji));
      tokens.push({ text, start, end: start + emoji.length, isExtra: true, isEmoji: true, isOpen: false });
      if (tokens.length >= max) break;
      continue;
    }
    const ofWord = UNSPACED.test(word) ? mixedScriptTokens : wordTokens;
    for (const token of ofWord(word, sign, match.index)) tokens.push(token);
    if (tokens.length >= max) break;
  }
  return tokens;
}

/**
 * Passes the tokens of {@link tokenize} without their positions, in half the time: documents are long, and
 * most of their words are simple.
 * @param take returns false to stop
 */
export function eachToken(text: string, take: (token: string, isExtra: boolean) => boolean): void {
  // Signs that belong to the word or the keycap next to them.
  const hasNames = text.includes("+") || text.includes("#") || text.includes("\u{20e3}");
  const isPlain = ASCII.test(text);
  const lower = isPlain ? text.toLowerCase() : text;
  for (let start = 0, end = 0; !hasNames && start < text.length; start = end + 1) {
    let isAscii = true;
    for (end = start; end < text.length; end++) {
      const code = lower.charCodeAt(end);
      if (code > 0x7f) isAscii = false;
      else if (!isAsciiWord(code)) break;
    }
    if (end === start) continue;
    const run = lower.slice(start, end);
    if (!isAscii) {
      for (const token of tokenize(run)) if (!take(token.text, token.isExtra)) return;
    } else if (!take((isPlain ? run : run.toLowerCase()).slice(0, WORD_MAX), false)) return;
  }
  if (hasNames) for (const token of tokenize(text)) if (!take(token.text, token.isExtra)) return;
}

/** Whether the code unit is an ASCII letter or digit. */
function isAsciiWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
}

/** Adds a folded word, and the name that it forms with a sign. */
function addWord(
  tokens: Token[],
  word: string,
  sign: string | undefined,
  start: number,
  length: number,
): void {
  const end = start + length + (sign?.length ?? 0);
  tokens.push({
    text: sign === undefined ? word : word + sign,
    start,
    end,
    isExtra: false,
    isEmoji: false,
    isOpen: false,
  });
  if (sign !== undefined)
    tokens.push({ text: word, start, end, isExtra: true, isEmoji: false, isOpen: false });
}

function wordTokens(word: string, sign: string | undefined, start: number): Token[] {
  const folded = cut(fold(word));
  // Folding can split one word into several: `½` becomes 1⁄2.
  const parts = folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const tokens: Token[] = [];
  const length = word.length + (sign?.length ?? 0);
  for (const part of parts.slice(0, -1)) addWord(tokens, part, undefined, start, length);
  const last = parts.at(-1);
  if (last !== undefined) addWord(tokens, last, sign, start, word.length);
  return tokens;
}

/** The tokens of a run of letters in which some belong to scripts without spaces, as in `iPhone東京`. */
function* mixedScriptTokens(run: string, sign: string | undefined, start: number): Generator<Token> {
  const stretches = run.split(STRETCHES);
  const last = stretches.findLastIndex((stretch) => stretch !== "");
  let at = start;
  for (const [index, stretch] of stretches.entries()) {
    if (stretch !== "") {
      if (index % 2 === 1) yield* unspacedTokens(stretch, at);
      else yield* wordTokens(stretch, index === last ? sign : undefined, at);
    }
    at += stretch.length;
  }
}

/**
 * Overlapping pairs of characters, since the script has no spaces between words, and the last character by
 * itself.
 */
function* unspacedTokens(stretch: string, start: number): Generator<Token> {
  const characters = fold(stretch).match(CHARACTERS) ?? [];
  const rangeOf = ranges(stretch, characters.length, start);
  const last = characters.length - 1;
  for (let index = 0; index < last; index++) {
    const text = `${characters[index]}${characters[index + 1]}`;
    yield { text, ...rangeOf(index, index + 1), isExtra: false, isEmoji: false, isOpen: false };
  }
  yield {
    text: characters[last] ?? "",
    ...rangeOf(last, last),
    isExtra: last > 0,
    isEmoji: false,
    isOpen: true,
  };
}

/** The ranges in the original text of the `count` characters of a folded run. */
function ranges(stretch: string, count: number, start: number) {
  const characters = stretch.match(CHARACTERS) ?? [];
  const ends: number[] = [];
  for (const character of characters) ends.push((ends.at(-1) ?? start) + character.length);
  const whole = { start, end: start + stretch.length };
  // Folding may join or split characters (halfwidth forms): then every token gets the range of the whole run.
  if (characters.length !== count) return () => whole;
  return (from: number, to: number) => ({ start: ends[from - 1] ?? start, end: ends[to] ?? whole.end });
}

function cut(word: string): string {
  return word.length > WORD_MAX ? Array.from(word).slice(0, WORD_MAX).join("") : word;
}

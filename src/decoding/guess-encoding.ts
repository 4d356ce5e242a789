import type { Label } from "./encodings.ts";

/** The number of bytes from which an encoding is guessed. */
const GUESSED_BYTES = 64 * 1024;

/**
 * The encoding in which a text that declares none, and is not UTF-8, looks like words; undefined when it does in none.
 * @param bytes its beginning, or a part that begins with a whole character
 */
export function guessEncoding(bytes: Uint8Array): Label | undefined {
  const sample = bytes.subarray(0, GUESSED_BYTES);
  return guessOfPairs(sample) ?? guessOfSingleBytes(sample);
}

/** The share of words or characters that must look right. */
const ENOUGH = 0.9;

/**
 * Encodings with two bytes a character, and their usual characters: kana, the syllables of Hangul, the frequent half of
 * the Chinese characters. Text with one byte a character is invalid in them, or has other characters.
 */
const PAIRS: readonly (readonly [Label, usual: RegExp, share: number])[] = [
  ["shift_jis", /^(?:\x81[\x41\x42]|\x82[\x9f-\xf1]|\x83[\x40-\x96])/, 0.3],
  ["euc-jp", /^(?:\xa1[\xa2\xa3]|[\xa4\xa5][\xa1-\xf6])/, 0.3],
  ["euc-kr", /^[\xb0-\xc8][\xa1-\xfe]/, ENOUGH],
  ["gb18030", /^[\xa1\xa3\xb0-\xd7][\xa1-\xfe]/, ENOUGH],
  ["big5", /^(?:\xa1|[\xa4-\xc6][\x40-\x7e\xa1-\xfe])/, ENOUGH],
];

function guessOfPairs(sample: Uint8Array): Label | undefined {
  const pairs =
    Buffer.from(sample)
      .toString("latin1")
      .match(/[\x80-\xff][\0-\xff]/g) ?? [];
  const isUsual = (usual: RegExp, share: number) =>
    pairs.filter((pair) => usual.test(pair)).length > pairs.length * share;
  return PAIRS.find(([label, usual, share]) => isUsual(usual, share) && isValid(sample, label))?.[0];
}

/** Whether a text is valid in an encoding; it may end within a character. */
function isValid(bytes: Uint8Array, label: Label): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const IN_LOWER_CASE = /^\p{Lu}?[\p{Ll}\p{M}]+$/u;
const IN_CAPITALS = /^\p{Lu}+$/u;

/**
 * Encodings with one byte a character, and what their words look like. In the wrong one, words mix scripts, signs or capitals
 * with small letters. Of those that look alike, the first is taken.
 */
const SINGLE_BYTES: readonly (readonly [Label, word: RegExp])[] = [
  ["windows-1252", /^(?=.*[a-z]|..?$)(?!.*[^\0-\x7f]{4})\p{Script=Latin}+$/iu],
  ["windows-1250", /^(?=.*[a-z]|..?$)(?!.*[^\0-\x7f]{4})\p{Script=Latin}+$/iu],
  ["windows-1255", /^(?!.*[ךםןףץ]\p{L})(?!.*\p{L}[כמנפצ]$)[א-ת]+$/u],
  ["windows-1251", /^\p{Script=Cyrillic}+$/u],
  ["koi8-r", /^\p{Script=Cyrillic}+$/u],
  ["windows-1253", /^(?!.*ς\p{L})\p{Script=Greek}+$/u],
  ["windows-1256", /^[\p{Script=Arabic}\p{M}]+$/u],
];

function guessOfSingleBytes(sample: Uint8Array): Label | undefined {
  let best: Label | undefined;
  let most = 0;
  for (const [label, shape] of SINGLE_BYTES) {
    const words = foreignWords(new TextDecoder(label).decode(sample));
    let likely = 0;
    let right = 0;
    for (const word of words) {
      if (!shape.test(word)) continue;
      // A text in capitals is rare, but looks so in the wrong one of two Cyrillic encodings.
      const weight = IN_CAPITALS.test(word)
        ? 0.5
        : IN_LOWER_CASE.test(word) || /^\P{Lu}+$/u.test(word)
          ? 1
          : 0;
      if (weight > 0) right++;
      likely += weight;
    }
    if (likely > most && right >= words.length * ENOUGH) {
      best = label;
      most = likely;
    }
  }
  return best;
}

/** The words with letters beyond ASCII, without the punctuation around them. */
function foreignWords(text: string): string[] {
  return (text.match(/[A-Za-z\x80-\uffff]{1,40}/g) ?? [])
    .map((run) => run.replace(/^[\p{P}\p{Z}\p{S}]+|[\p{P}\p{Z}\p{S}]+$/gu, ""))
    .filter((word) => /[^\0-\x7f]/.test(word));
}

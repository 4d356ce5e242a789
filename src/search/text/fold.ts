const ASCII = /^[\0-\x7f]*$/;
/**
 * Combining marks are removed in scripts whose readers often leave them out: `Zürich`, `Ελλάδα`, but not `ガ`,
 * `हिन्दी` or `ไทย`.
 */
const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
/** Letters that Unicode does not decompose into a Latin letter and an accent. */
export const LATIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};
const LETTERS: Readonly<Record<string, string>> = { ...LATIN_LETTERS, ς: "σ" };
const UNFOLDED = /[ßæœøłđðþıς]/g;

/**
 * The form in which words are compared: without case, compatibility variants and the accents that {@link
 * MARKED} removes.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(MARKED, "$1")
    .toLowerCase()
    .replace(UNFOLDED, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC");
}

import { LATIN_LETTERS } from "../../text.ts";

const ASCII = /^[\0-\x7f]*$/;
/**
 * Characters that nobody sees or types, as text for print or copied text has them: soft hyphens, joiners, zero-width spaces,
 * marks of direction. They neither divide a word nor belong to it. A class for patterns with the flag `v`.
 */
export const UNSEEN = "[\\p{Cf}&&\\p{Default_Ignorable_Code_Point}]";
/** These, and the stroke that stretches Arabic words. */
const IGNORED = new RegExp(`${UNSEEN}|\u0640`, "gv");
/**
 * Combining marks are removed in scripts whose readers often leave them out: `Zürich`, `Ελλάδα`, the points of Hebrew and
 * Arabic, but not `ガ`, `हिन्दी` or `ไทย`.
 */
const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}])\p{M}+/gu;
const ARABIC = /([\p{Script=Arabic}&&\p{L}])(\p{M}+)/gv;
/** The marks in Arabic, but for those that make another letter of one: `آ`, `أ`, `إ`. */
const ARABIC_POINTS = /[^\u0653-\u0655]/g;
const LETTERS: Readonly<Record<string, string>> = { ...LATIN_LETTERS, ς: "σ" };
const UNFOLDED = /[ßæœøłđðþıς]/g;

/**
 * The form in which words are compared: without case, compatibility variants, what is not seen, and
 * the accents that {@link MARKED} removes.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(IGNORED, "")
    .replace(MARKED, "$1")
    .replace(ARABIC, (_, letter: string, marks: string) => letter + marks.replace(ARABIC_POINTS, ""))
    .toLowerCase()
    .replace(UNFOLDED, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC");
}

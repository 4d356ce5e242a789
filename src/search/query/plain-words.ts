/** The maximum number of words; with more, little is found. */
const WORDS_MAX = 10;

/** The words of a text that cannot be read as a query, as a query. */
export function plainWords(text: string): string {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words
    .filter((word) => !/^(?:AND|OR|NOT)$/.test(word))
    .slice(0, WORDS_MAX)
    .join(" ");
}

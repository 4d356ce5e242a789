/** The beginning of a text, cut after a word, with a maximum number of characters. */
export function truncateAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
  // A long word is cut where it is.
  return `${cut.replace(/\s\S*$/, "").trimEnd()}…`;
}

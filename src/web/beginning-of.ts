/** The beginning of a text: at most so many characters, cut after a word. */
export function beginningOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
  // A long word is cut where it is.
  return `${cut.replace(/\s+\S*$/, "")}…`;
}

/** A number with its noun, whose plural ends in s: `1 post`, `2000 posts`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The numbers of rows in the tables of these nouns: `1 post, 2000 comments`. */
export function countsText(rows: ReadonlyMap<string, number>, nouns: readonly string[]): string {
  return nouns.map((noun) => countText(rows.get(`${noun}s`) ?? 0, noun)).join(", ");
}

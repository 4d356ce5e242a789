import { positiveTerms, type Query, type Term } from "../query/query.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A range of a text, in UTF-16 code units: `start` is inclusive, `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The positions of a query's words in a text, in order and without overlaps. */
export function foundWords(text: string, query: Query | undefined): Range[] {
  if (query === undefined || text === "") return [];
  const tokens = [...tokenize(text)];
  const ranges = positiveTerms(query).flatMap((term) => rangesOf(term, tokens));
  const sorted = ranges.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const joined: Range[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (last === undefined || range.start >= last.end) joined.push(range);
  }
  return joined;
}

function rangesOf({ tokens: wanted, isPrefix }: Term, tokens: readonly Token[]): Range[] {
  const own = tokens.filter(({ isExtra }) => !isExtra);
  // A single word may also match an extra token, such as the `c` of `c++`.
  const sequence = wanted.length === 1 ? tokens : own;
  const last = wanted.length - 1;
  return sequence.flatMap((first, index) => {
    const end = sequence[index + last];
    const matches = wanted.every((word, offset) => {
      const text = sequence[index + offset]?.text;
      return offset === last && isPrefix ? text?.startsWith(word) : text === word;
    });
    return matches && end !== undefined ? [{ start: first.start, end: end.end }] : [];
  });
}

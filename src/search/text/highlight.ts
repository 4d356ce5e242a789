import { positiveTerms, type Query, type Term } from "../query/query.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A part of a text that matches, in Unicode code points: from `start`, before `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The maximum number of highlights; more do not help a reader. */
const RANGES_MAX = 100;
/** The inspected beginning of a longer text, in UTF-16 units. */
const TEXT_MAX = 100_000;

/**
 * The parts of a text that the words of a query match, ascending and apart from each other.
 * @param isSearched whether a term looks at this text at all
 */
export function highlightsIn(
  text: string,
  query: Query | undefined,
  isSearched: (term: Term) => boolean,
): TextRange[] {
  const terms = query === undefined ? [] : positiveTerms(query).filter(isSearched);
  if (terms.length === 0) return [];
  const tokens = [...tokenize(text.slice(0, TEXT_MAX))];
  const ranges = terms
    .flatMap((term) => matchesOf(term, tokens))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  return inCodePoints(text, joinedRanges(ranges).slice(0, RANGES_MAX));
}

function matchesOf({ tokens: words, isPrefix }: Term, tokens: readonly Token[]): TextRange[] {
  const isWord = (index: number, token: Token) =>
    isPrefix && index === words.length - 1
      ? token.text.startsWith(words[index] ?? "")
      : token.text === words[index];
  // A single word may also match a token outside the sequence; a phrase matches the sequence only.
  if (words.length === 1) return tokens.filter((token) => isWord(0, token));
  const sequence = tokens.filter(({ isExtra }) => !isExtra);
  return sequence.flatMap(({ start }, at) => {
    const run = sequence.slice(at, at + words.length);
    const last = run.at(-1);
    return last !== undefined &&
      run.length === words.length &&
      run.every((token, index) => isWord(index, token))
      ? [{ start, end: last.end }]
      : [];
  });
}

/** Overlapping and touching ranges as one. */
function joinedRanges(ranges: readonly TextRange[]): TextRange[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Ranges in UTF-16 units as ranges in code points; both ascending. */
function inCodePoints(text: string, ranges: readonly TextRange[]): TextRange[] {
  let units = 0;
  let points = 0;
  const pointAt = (unit: number) => {
    while (units < unit) {
      units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
      points++;
    }
    return points;
  };
  return ranges.map(({ start, end }) => ({ start: pointAt(start), end: pointAt(end) }));
}

import { positiveTerms, type Query, type Term } from "../query/query.ts";
import { fold } from "./fold.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A matching part of a text, in Unicode code points: `start` is inclusive, `end` exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The maximum number of highlights. More do not help a reader. */
const RANGES_MAX = 100;
/** The length of a text's start that is searched, in UTF-16 code units. */
const TEXT_MAX = 100_000;

/**
 * The parts of a text that match a query's words, ascending and not touching each other.
 * @param isSearched whether a term applies to this text
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
    .flatMap((term) => matchesOf(term, tokens, text))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  return inCodePoints(text, joinedRanges(ranges).slice(0, RANGES_MAX));
}

function matchesOf({ tokens: words, isPrefix }: Term, tokens: readonly Token[], text: string): TextRange[] {
  const isWord = (index: number, token: Token) =>
    isPrefix && index === words.length - 1
      ? token.text.startsWith(words[index] ?? "")
      : token.text === words[index];
  // A single word may also match an extra token; a phrase matches only the sequence of words.
  if (words.length === 1) {
    const found = tokens.filter((token) => isWord(0, token));
    return isPrefix ? found.map((token) => withoutSecondCharacter(token, words[0] ?? "", text)) : found;
  }
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

/** A character of a script without spaces is the beginning of a pair: the range of the pair without its other half. */
function withoutSecondCharacter({ start, end }: Token, word: string, text: string): TextRange {
  const [first = ""] = /^.\p{M}*/su.exec(text.slice(start, end)) ?? [];
  return { start, end: fold(first) === word ? start + first.length : end };
}

/** Joins ranges that overlap or touch. */
function joinedRanges(ranges: readonly TextRange[]): TextRange[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Converts ascending ranges from UTF-16 code units to code points. */
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

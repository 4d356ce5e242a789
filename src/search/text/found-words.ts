import { type FieldName, positiveTerms, type Query, type Term } from "../query/query.ts";
import { fold } from "./fold.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A range of a text, in UTF-16 code units: `start` is inclusive, `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The parts of a text that match a query's words, ascending and not touching each other.
 * @param field the field that the text belongs to: words of other fields are left out
 */
export function foundWords(text: string, query: Query | undefined, field?: FieldName): Range[] {
  const terms =
    query === undefined
      ? []
      : positiveTerms(query).filter(
          (term) => field === undefined || term.field === undefined || term.field === field,
        );
  if (terms.length === 0 || text === "") return [];
  const tokens = tokenize(text);
  const ranges = terms.flatMap((term) => rangesOf(term, tokens, text));
  return joined(ranges.toSorted((one, other) => one.start - other.start || one.end - other.end));
}

function rangesOf({ tokens: words, isPrefix }: Term, tokens: readonly Token[], text: string): Range[] {
  const isWord = (index: number, token: Token) =>
    isPrefix && index === words.length - 1
      ? token.text.startsWith(words[index] ?? "")
      : token.text === words[index];
  // A single word may also match an extra token, such as the `c` of `c++`; a phrase matches only the sequence of words.
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
function withoutSecondCharacter({ start, end }: Token, word: string, text: string): Range {
  const [first = ""] = /^.\p{M}*/su.exec(text.slice(start, end)) ?? [];
  return { start, end: fold(first) === word ? start + first.length : end };
}

/** Joins ranges that overlap or touch. */
function joined(ranges: readonly Range[]): Range[] {
  const all: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = all.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

/** A matching part of a text, in Unicode code points: `start` is inclusive, `end` exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The maximum number of highlights. More do not help a reader. */
const RANGES_MAX = 100;
/** The length of a text's start that is searched, in UTF-16 code units. */
const TEXT_MAX = 100_000;

/** The parts of a field's text that match a query's words, ascending and not touching each other. */
export function highlightsIn(text: string, query: Query | undefined, field: FieldName): TextRange[] {
  return inCodePoints(text, foundWords(text.slice(0, TEXT_MAX), query, field).slice(0, RANGES_MAX));
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

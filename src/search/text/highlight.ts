import type { FieldName, Query } from "../query/query.ts";
import { foundWords } from "./found-words.ts";

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

/** @jsxImportSource #jsx */
import type { Markup } from "../web/jsx/preact.js";
import { beginningOf } from "./shown-text.ts";

/** A stretch of a text, in code points: from `start` up to but not `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What a search has found in a bookmark. */
export interface Marked {
  readonly title: readonly Range[];
  readonly text: readonly Range[];
}

/** So many characters stand before the first marked word when a text is shown from its middle. */
const BEFORE = 60;

/**
 * A text with its found words marked.
 * @param max shows at most so many code points, beginning shortly before the first found word
 */
export function markedText(text: string, ranges: readonly Range[], max = Number.POSITIVE_INFINITY): Markup {
  const characters = Array.from(text);
  const first = ranges[0]?.start ?? 0;
  const from = first > max / 2 ? first - BEFORE : 0;
  const to = Math.min(characters.length, from + max);
  const pieces: (Markup | string)[] = [];
  let place = from;
  for (const { start, end } of ranges) {
    if (start < place || end > to) continue;
    pieces.push(characters.slice(place, start).join(""));
    pieces.push(<mark>{characters.slice(start, end).join("")}</mark>);
    place = end;
  }
  const rest = characters.slice(place, to).join("");
  return (
    <>
      {from > 0 && "… "}
      {pieces}
      {to < characters.length ? beginningOf(`${rest} `, rest.length) : rest}
    </>
  );
}

/** @jsxImportSource #jsx */
import type { Range } from "../search/text/found-words.ts";
import type { Markup } from "./jsx/preact.js";
import { truncateAtWord } from "./truncate.ts";

/** Characters before the first marked word when a text is shown from its middle. */
const BEFORE = 60;

/**
 * A text with its found words marked.
 * @param max the approximate maximum number of characters, from shortly before the first found word
 */
export function MarkedText({
  text,
  ranges,
  max = Number.POSITIVE_INFINITY,
}: {
  readonly text: string;
  readonly ranges: readonly Range[];
  readonly max?: number;
}): Markup {
  const first = ranges[0]?.start ?? 0;
  const from = first > max / 2 ? wordStart(text, first - BEFORE) : 0;
  const end = from + max;
  const pieces: (Markup | string)[] = [];
  let position = from;
  for (const range of ranges) {
    if (range.start < position || range.end > end) continue;
    pieces.push(text.slice(position, range.start), <mark>{text.slice(range.start, range.end)}</mark>);
    position = range.end;
  }
  return (
    <>
      {from > 0 && "… "}
      {pieces}
      {truncateAtWord(text.slice(position), Math.max(end - position, 0))}
    </>
  );
}

/** The beginning of the next word. */
function wordStart(text: string, from: number): number {
  const space = text.slice(from).search(/\s/);
  return space === -1 ? from : from + space + 1;
}

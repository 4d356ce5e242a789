import type { Query, Term } from "../query/query.ts";
import { positiveTerms } from "../query/query.ts";
import { foundWords } from "./found-words.ts";

/** The characters of a sentence, unless it has less room, and those of it before the first found word. */
const LENGTH = 400;
const BEFORE = 160;
/** Places of each term that are compared. */
const PLACES_MAX = 20;
/** Where no term stands as it is written, this many characters are cut into words at once. */
const CHUNK = 4_000;

const LETTER = "[\\p{L}\\p{M}\\p{N}]";
const ENDS = /[.!?\u2026\u3002\uff01\uff1f]["'\u2019\u201d\u00bb)]*\s+|\n+/g;

/**
 * The sentence of a text in which most words of a query stand, with what surrounds it: one line of about `length`
 * characters, more than {@link BEFORE}. The place is found first, since cutting a long text into words takes ten times as long. Undefined if the text
 * has none of the words.
 */
export function sentenceWith(text: string, query: Query | undefined, length = LENGTH): string | undefined {
  if (query === undefined) return undefined;
  const place = placeOf(text, positiveTerms(query)) ?? placeInChunks(text, query);
  if (place === undefined) return undefined;
  const start = startBefore(text, place);
  const end = endAfter(text, start + length);
  const line = text.slice(start, end).replace(/\s+/g, " ").trim();
  const isWhole =
    start === 0 ||
    text.slice(0, start).search(/(?:[.!?\u2026\u3002\uff01\uff1f]["'\u2019\u201d\u00bb)]*\s*|\n)$/) !== -1;
  return `${isWhole ? "" : "\u2026 "}${line}${end < text.length ? " \u2026" : ""}`;
}

/** Where most terms stand as they are written; the first of such places. */
function placeOf(text: string, terms: readonly Term[]): number | undefined {
  const places = terms.flatMap((term, index) =>
    Array.from(firstMatches(text, term), (position) => ({ position, index })),
  );
  places.sort((one, other) => one.position - other.position);
  let best: { readonly position: number; readonly count: number } | undefined;
  for (const [at, { position }] of places.entries()) {
    const near = new Set<number>();
    for (
      let next = at;
      (places[next]?.position ?? Number.POSITIVE_INFINITY) < position + LENGTH - BEFORE;
      next++
    )
      near.add(places[next]?.index ?? 0);
    if (near.size > (best?.count ?? 0)) best = { position, count: near.size };
  }
  return best?.position;
}

function* firstMatches(text: string, { tokens, isPrefix }: Term): Generator<number> {
  const words = tokens.map((token) => token.replace(/[^\p{L}\p{M}\p{N}]/gu, "\\$&"));
  const pattern = new RegExp(
    `(?<!${LETTER})${words.join("[^\\p{L}\\p{M}\\p{N}]+")}${isPrefix ? "" : `(?!${LETTER})`}`,
    "giu",
  );
  let count = 0;
  for (const { index } of text.matchAll(pattern)) {
    yield index;
    if (++count === PLACES_MAX) return;
  }
}

/** For words that the text writes otherwise, with accents for example. */
function placeInChunks(text: string, query: Query): number | undefined {
  for (let start = 0; start < text.length; start += CHUNK) {
    const [first] = foundWords(text.slice(start, start + CHUNK + BEFORE), query);
    if (first !== undefined) return start + first.start;
  }
  return undefined;
}

/** The beginning of the sentence, or of a word shortly before the place. */
function startBefore(text: string, place: number): number {
  const from = Math.max(0, place - BEFORE);
  if (from === 0 && !/[.!?\n\u3002]/.test(text.slice(0, place))) return 0;
  const before = text.slice(from, place);
  const end = [...before.matchAll(ENDS)].at(-1);
  if (end !== undefined) return from + end.index + end[0].length;
  if (from === 0) return 0;
  const space = before.search(/\s/);
  return space === -1 ? wholeCharacter(text, from) : from + space + 1;
}

function endAfter(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const space = text.slice(0, end).search(/\s\S*$/);
  return end - space < BEFORE ? space : wholeCharacter(text, end);
}

/** Not between the halves of a character. */
function wholeCharacter(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
}

import { decodeHTMLStrict } from "entities";
import { PHRASES } from "../decoding/html-tags.ts";
import { CONTEXT_MAX, type Quote } from "./mark.ts";

/** Where marked words are, in units of UTF-16 of {@link CopyText.text}. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A tag, or text. In texts and attributes of a copy, `<` and `>` are escaped. */
const TOKENS = /<\/?([a-z0-9]+)(?![a-z0-9])[^<>]*>|[^<]+/gi;
/** Blocks that are lines of their own, and no paragraphs. */
const LINES: ReadonlySet<string> = new Set(["br", "li", "dt", "dd", "tr", "td", "th", "summary"]);

/** What counts: neither white space nor what shows nothing, which differ between two readings of a page. */
const COUNTED = /[^\s\u00ad\u200b\u200e\u200f\u2060]+/g;

/** Two halves of a word or of a number, with a line feed between them. */
const HALVES = /[\p{L}\p{M}]['’]?\n['’]?[\p{L}\p{M}]|\p{N}\n\p{N}/u;
/** Scripts without spaces, in which any character may begin a word. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** The places of a quote that are looked at on either side of where it was: more than a text has, but for one that repeats itself. */
const PLACES_MAX = 100;
/** The characters of a quote that are searched for; the others are compared where these are. */
const SEARCHED_MAX = 64;

/** The characters of a quote, and of what agrees beside it, by which a place is certainly the one that was marked. */
const CERTAIN = 20;

/**
 * The text of a copy, in which marks are made and found again. It counts as `textContent` does in the browser, and as
 * `library/reading/room-text.ts` does. Each mark takes a few searches of the text, and none where it stands as it did: 500 in a text of
 * a million characters take 30 ms of CPU then, 0.3 s in another text, and a second where that repeats one character throughout.
 */
export class CopyText {
  readonly text: string;
  /** The line feeds between blocks, which `textContent` does not have, by their places. */
  readonly #feeds = new Map<number, string>();
  /** Of the characters that count, and the place of each; made for the first mark. */
  #counted: { readonly text: string; readonly places: Int32Array } | undefined;

  /** @param html as `sanitize-copy.ts` writes it */
  constructor(html: string) {
    const parts: string[] = [];
    let length = 0;
    for (const [token, name] of html.matchAll(TOKENS)) {
      if (name === undefined) {
        const text = decodeHTMLStrict(token);
        parts.push(text);
        length += text.length;
      } else if (name !== "img" && !PHRASES.test(token)) {
        const isLine = LINES.has(name) && this.#feeds.get(length) !== "\n\n";
        this.#feeds.set(length, isLine ? "\n" : "\n\n");
      }
    }
    this.text = parts.join("");
    this.#feeds.delete(0);
    this.#feeds.delete(length);
  }

  /**
   * A quote of the text, with what stands beside it. Words of several blocks have line feeds between them.
   * @returns undefined when there are no words between the two places
   */
  cut(from: number, to: number): Quote | undefined {
    const { text } = this;
    let start = Math.max(0, from);
    let end = Math.min(text.length, to);
    if (isWithinPair(text, start)) start--;
    if (isWithinPair(text, end)) end++;
    const given = text.slice(start, end);
    if (counted(given) === "") return undefined;
    start += given.length - given.trimStart().length;
    end -= given.length - given.trimEnd().length;
    // White space counts once, so that an indented line leaves room for words.
    const before = this.#lines(Math.max(0, start - 10 * CONTEXT_MAX), start).replace(/\s+/g, " ");
    const after = this.#lines(end, end + 10 * CONTEXT_MAX).replace(/\s+/g, " ");
    const first = Math.max(0, before.length - CONTEXT_MAX);
    return {
      quote: this.#lines(start, end).trim(),
      prefix: before.slice(isWithinPair(before, first) ? first + 1 : first),
      suffix: after.slice(0, isWithinPair(after, CONTEXT_MAX) ? CONTEXT_MAX - 1 : CONTEXT_MAX),
      position: start,
    };
  }

  /**
   * Where a mark is in this text: of all places with its words, the one with most of what stood beside them, then the nearest to
   * where they were.
   * @returns undefined when the words are gone, or stand only where something else is meant: a few of them without anything of what
   *   stood beside them, or as a part of other words
   */
  find(mark: Quote): Place | undefined {
    const words = counted(mark.quote);
    const before = counted(mark.prefix);
    const after = counted(mark.suffix);
    if (words === "") return undefined;
    this.#counted ??= countedIn(this.text);
    const { text, places } = this.#counted;
    const near = mark.position === null ? 0 : firstFrom(places, mark.position);
    let best: { readonly place: Place; readonly agrees: number; readonly distance: number } | undefined;
    for (const at of placesOf(text, words, { before, after, near })) {
      const agrees = agreementOf(text, at, before, at + words.length, after);
      if (words.length + agrees < CERTAIN && agrees < before.length + after.length) continue;
      const distance = Math.abs(at - near);
      if (best && (agrees - best.agrees || best.distance - distance) <= 0) continue;
      const place = { start: places[at] ?? 0, end: (places[at + words.length - 1] ?? 0) + 1 };
      if (!this.#isPartOfWord(place, mark)) best = { place, agrees, distance };
    }
    return best?.place;
  }

  /** Whether a word goes on beside a place where it did not go on beside the mark. */
  #isPartOfWord({ start, end }: Place, { prefix, quote, suffix }: Quote): boolean {
    const { text } = this;
    const isSplit = (at: number) =>
      !this.#feeds.has(at) && isOneWord(text.slice(Math.max(0, at - 3), at), text.slice(at, at + 3));
    return (
      (isSplit(start) && !isOneWord(prefix.slice(-3), (quote + suffix).slice(0, 3))) ||
      (isSplit(end) && !isOneWord((prefix + quote).slice(-3), suffix.slice(0, 3)))
    );
  }

  /** A part of the text with its line feeds, also those at its ends. */
  #lines(from: number, to: number): string {
    const parts: string[] = [];
    let start = from;
    for (const [place, feeds] of this.#feeds) {
      if (place < from || place > to) continue;
      parts.push(this.text.slice(start, place), feeds);
      start = place;
    }
    return [...parts, this.text.slice(start, to)].join("");
  }
}

function countedIn(text: string): { readonly text: string; readonly places: Int32Array } {
  const characters = counted(text);
  const places = new Int32Array(characters.length);
  let count = 0;
  for (const { index, 0: run } of text.matchAll(COUNTED))
    for (let place = index; place < index + run.length; place++) places[count++] = place;
  return { text: characters, places };
}

/** The characters of a text that count. */
function counted(text: string): string {
  return text.match(COUNTED)?.join("") ?? "";
}

/** The index of the first of ascending numbers that is at least a number; their count when there is none. */
function firstFrom(numbers: Int32Array, least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The places of a quote: the one where it was, if nothing has changed there, else those near it. Some may stand there twice. */
function placesOf(
  text: string,
  words: string,
  { before, after, near }: { readonly before: string; readonly after: string; readonly near: number },
): readonly number[] {
  const whole = before + words + after;
  if (whole !== words && near >= before.length && text.startsWith(whole, near - before.length)) return [near];
  const places = placesNear(text, words, near);
  if (places.length < PLACES_MAX) return places;
  const withBefore = placesNear(text, before + words, near - before.length);
  return [...places, ...withBefore.map((at) => at + before.length), ...placesNear(text, words + after, near)];
}

/** Where some words are, within {@link PLACES_MAX} places on either side. */
function placesNear(text: string, words: string, near: number): number[] {
  const places: number[] = [];
  const searched = words.slice(0, SEARCHED_MAX);
  let at = text.indexOf(searched, near);
  for (let left = PLACES_MAX; at >= 0 && left > 0; left--, at = text.indexOf(searched, at + 1))
    if (text.startsWith(words, at)) places.push(at);
  at = near > 0 ? text.lastIndexOf(searched, near - 1) : -1;
  for (
    let left = PLACES_MAX;
    at >= 0 && left > 0;
    left--, at = at > 0 ? text.lastIndexOf(searched, at - 1) : -1
  )
    if (text.startsWith(words, at)) places.push(at);
  return places;
}

/** How many characters before one place and from another one on are those of a context. */
function agreementOf(text: string, start: number, before: string, end: number, after: string): number {
  let left = 0;
  while (left < before.length && text[start - left - 1] === before[before.length - left - 1]) left++;
  let right = 0;
  while (right < after.length && text[end + right] === after[right]) right++;
  return left + right;
}

/** Whether two neighbouring texts meet within a word. */
function isOneWord(before: string, after: string): boolean {
  return HALVES.test(`${before}\n${after}`) && !UNSPACED.test(before + after);
}

function isWithinPair(text: string, place: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(place - 1, place + 1)) && place > 0;
}

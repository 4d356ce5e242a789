import type { RecordLocation } from "../../records/record.ts";
import { TokenReader } from "../bookmarks/netscape/html-tokens.ts";
import { storable } from "../reading/foreign-values.ts";
import type { RecordNote } from "../remarks.ts";

/** The posts that a report names; the others are counted. */
const NAMED_MAX = 10;

/** No longer text of a source is looked at, in characters, so that its words need little memory. */
const TEXT_MAX = 2_000_000;

/** The number of missing words that are shown in a row. */
const SHOWN_MAX = 8;

/** Elements within a word or a line; any other one ends a word. */
const INLINE = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/** Elements whose text nobody reads. */
const HIDDEN = new Set(["script", "style", "template"]);

/** A word; a character of a script without spaces between its words is one. */
const WORD =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]|[[\p{L}\p{M}\p{N}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]]+/gv;

/** Words of a source that are not in what is stored of it. */
export interface MissingWords {
  readonly count: number;
  /** The first words of the longest part that is missing, as the source has them. */
  readonly example: string;
}

/**
 * The words of texts in HTML or Markdown that are not in other such texts, however often each is there and wherever. What takes
 * their time and memory is their length alone.
 * @returns undefined when none is missing
 */
export function missingWords(source: readonly string[], stored: readonly string[]): MissingWords | undefined {
  const text = source.map(readableText).join("\n").slice(0, TEXT_MAX);
  const left = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) left.set(word, (left.get(word) ?? 0) + 1);
  for (const part of stored)
    for (const [word] of readableText(part).matchAll(WORD)) {
      const count = left.get(word);
      if (count !== undefined) left.set(word, count - 1);
    }
  let count = 0;
  for (const more of left.values()) count += Math.max(0, more);
  return count === 0 ? undefined : { count, example: longestRow(text, left) };
}

/** The first words of the longest row of words that are missing. */
function longestRow(text: string, left: ReadonlyMap<string, number>): string {
  let longest = { length: 0, start: 0, end: 0 };
  let row = longest;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if ((left.get(word) ?? 0) <= 0) row = { length: 0, start: 0, end: 0 };
    else {
      const { length, start, end } = row;
      row = {
        length: length + 1,
        start: length === 0 ? index : start,
        end: length < SHOWN_MAX ? index + word.length : end,
      };
      if (row.length > longest.length) longest = row;
    }
  }
  return text.slice(longest.start, longest.end).replaceAll(/\s+/g, " ");
}

/** The text of HTML without its tags, comments, scripts and styles. */
function readableText(html: string): string {
  const parts: string[] = [];
  let hidden: string | undefined;
  const reader = new TokenReader({
    startTag({ name }) {
      if (!INLINE.has(name)) parts.push(" ");
      if (HIDDEN.has(name)) hidden ??= name;
    },
    endTag(name) {
      if (!INLINE.has(name)) parts.push(" ");
      if (name === hidden) hidden = undefined;
    },
    text(text) {
      if (hidden === undefined) parts.push(text);
    },
    declaration() {},
  });
  reader.write(storable(html));
  reader.end();
  return parts.join("");
}

/** The posts of a file of which words are missing. */
export class MissingWordsReport {
  readonly #named: RecordNote[] = [];
  #more = 0;

  /** Compares a post with its source. */
  compare(
    title: string,
    location: RecordLocation,
    source: readonly string[],
    stored: readonly string[],
  ): void {
    const missing = missingWords(source, stored);
    if (missing === undefined) return;
    if (this.#named.length === NAMED_MAX) {
      this.#more++;
      return;
    }
    const { count, example } = missing;
    const shown = [...example].length > 80 ? `${[...example.slice(0, 160)].slice(0, 80).join("")}…` : example;
    const words = count === 1 ? "1 word of its text does" : `${count} words of its text do`;
    const isAll = [...example.matchAll(WORD)].length === count;
    const detail = `“${title}”: ${words} not come in${isAll ? ":" : ", such as"} “${shown}”.`;
    this.#named.push({ ...location, code: "words_missing", detail });
  }

  /** The notes of the report. */
  get notes(): readonly RecordNote[] {
    const [first] = this.#named;
    if (first === undefined || this.#more === 0) return this.#named;
    const posts = this.#more === 1 ? "1 more post does" : `${this.#more} more posts do`;
    const detail = `Words of ${posts} not come in.`;
    return [...this.#named, { file: "", line: 0, code: "words_missing", detail }];
  }
}

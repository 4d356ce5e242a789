import { listTags } from "../../bookmarks/tags/tag-list.ts";
import type { Vocabulary } from "../../search/query/atoms.ts";
import { parseQuery } from "../../search/query/parser.ts";
import { tokenize } from "../../search/text/tokens.ts";
import { textOf } from "../../tags/description-tags.ts";
import { tagKey } from "../../tags/tag-name.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntries } from "../library-store.ts";
import { joinQueryParts, type QueryPart } from "./query-parts.ts";
import { tagTerm } from "./tag-search.ts";

/** The maximum number of records with the same word beginning that are searched for similar words. */
const SAMPLE = 50;
/** The minimum length of a word beginning, in letters. */
const BEGINNING_MIN = 3;
/** The number of most frequent tags that are compared. */
const TAGS_MAX = 2_000;
/** The maximum number of words of a search that are corrected. */
const WORDS_MAX = 3;
/** The inspected part of a note, in UTF-16 units. */
const TEXT_MAX = 2_000;

/** Alternatives to a search without results, each with its number of matches. */
export interface Corrections {
  /** The search with similar words that exist. */
  readonly similar?: undefined | { readonly q: string; readonly matches: number };
  /** The search with its words as beginnings of words. */
  readonly asBeginnings?:
    | undefined
    | { readonly q: string; readonly matches: number; readonly beginnings: readonly string[] };
  /** The search without its filters. */
  readonly unfiltered?: undefined | { readonly q: string; readonly matches: number };
  readonly anyWord?: undefined | { readonly q: string; readonly matches: number };
  /** A beginning of the word that other words have, too. */
  readonly beginning?: string;
}

/** How a search is read: its vocabulary, and whether its reader may read copies. */
export interface SearchReading {
  readonly vocabulary: Vocabulary;
  readonly inside: boolean;
}

/** Finds similar searches with results for a search without results. @param reading how the search was read */
export async function suggestCorrections(
  dependencies: Pick<LibraryParts, "database" | "search">,
  query: readonly QueryPart[],
  reading: SearchReading,
): Promise<Corrections> {
  const filters = query.filter(({ isFilter }) => isFilter);
  const wanted = query.filter(({ isFilter }) => !isFilter);
  const words = query.filter(({ isWord }) => isWord);
  const count = (some: readonly Pick<QueryPart, "text">[], between = " ") =>
    matchesOf(dependencies, reading, some.map(({ text }) => text).join(between));
  const { corrected, isChanged, beginning } = await correctedWords(dependencies, reading, query);
  const similar = isChanged
    ? ((await count(corrected)) ?? (await count(corrected.filter((_, index) => !query[index]?.isFilter))))
    : undefined;
  const beginnings = query.filter(mayBegin);
  const longer =
    beginnings.length > 0
      ? await count(query.map((part) => (mayBegin(part) ? { text: `${part.text}*` } : part)))
      : undefined;
  return {
    ...(similar && { similar }),
    ...(longer && { asBeginnings: { ...longer, beginnings: beginnings.map(({ text }) => text) } }),
    ...(filters.length > 0 && wanted.length > 0 && { unfiltered: await count(wanted) }),
    ...(words.length > 1 && words.length === wanted.length && { anyWord: await count(words, " OR ") }),
    ...(beginning !== undefined && words.length === 1 && !longer && { beginning }),
  };
}

/** Whether a part may be searched as the beginning of a word. */
function mayBegin({ isWord, text }: QueryPart): boolean {
  return isWord && /^[\p{L}\p{M}\p{N}]+$/u.test(text) && Array.from(text).length >= BEGINNING_MIN;
}

/** A search with its number of matches; undefined when it finds none. */
async function matchesOf(
  { search }: Pick<LibraryParts, "search">,
  { vocabulary, inside }: SearchReading,
  q: string,
) {
  const query = parseQuery(q, vocabulary);
  if (query.root === undefined) return undefined;
  const { matches } = await search.count({ query, inside });
  return matches === 0 ? undefined : { q, matches };
}

/** The parts of a search, with each unknown word or tag replaced by a similar one. */
async function correctedWords(
  dependencies: Pick<LibraryParts, "database" | "search">,
  reading: SearchReading,
  query: readonly QueryPart[],
): Promise<{ corrected: { text: string }[]; isChanged: boolean; beginning: string | undefined }> {
  const tags = (await listTags(dependencies.database.read, { sort: "count", limit: TAGS_MAX })).tags;
  let isChanged = false;
  const corrected: { text: string }[] = [];
  let beginning: string | undefined;
  let left = WORDS_MAX;
  for (const part of query) {
    const isTag = part.field === "tag" && !part.isExcluded;
    let similar: string | undefined;
    if (
      (part.isWord || isTag) &&
      left > 0 &&
      (await matchesOf(dependencies, reading, part.text)) === undefined
    ) {
      left--;
      const word = new SimilarWord(isTag ? tagKey(part.value) : foldedWord(part.value));
      for (const { name, count } of tags) word.offer(tagKey(name), name, count);
      if (!isTag) beginning = (await offerWords(dependencies, word)) ?? beginning;
      similar = word.best;
    }
    const text = similar !== undefined && isTag ? tagTerm(similar) : similar;
    if (text !== undefined) isChanged = true;
    corrected.push({ text: text ?? part.text });
  }
  return { corrected, isChanged, beginning };
}

/** Offers the words that begin like one. @returns the longest prefix of the word that has matches */
async function offerWords(
  { database, search }: Pick<LibraryParts, "database" | "search">,
  word: SimilarWord,
): Promise<string | undefined> {
  const letters = Array.from(word.text);
  let longestPrefix: string | undefined;
  for (let length = letters.length - 1; length >= BEGINNING_MIN; length--) {
    const beginning = letters.slice(0, length).join("");
    const root = { type: "term", tokens: [beginning], isPrefix: true } as const;
    const { ids } = await search.page({ query: { root }, sort: "newest", limit: SAMPLE });
    if (ids.length > 0) longestPrefix ??= beginning;
    for (const { title, description } of await findEntries(database.read, ids)) {
      const text = `${title}\n${textOf(description).slice(0, TEXT_MAX)}`;
      for (const { text: token, isExtra, start, end } of tokenize(text))
        if (!isExtra) word.offer(token, text.slice(start, end).toLowerCase(), 1);
    }
    if (word.best !== undefined) break;
  }
  return longestPrefix;
}

function foldedWord(value: string): string {
  const tokens = [...tokenize(value)].filter(({ isExtra }) => !isExtra);
  return tokens.length === 1 ? (tokens[0]?.text ?? "") : "";
}

/** Selects the most similar word, and among equally similar ones the most frequent. */
class SimilarWord {
  readonly text: string;
  readonly #distanceMax: number;
  readonly #offers = new Map<string, { shown: string; count: number; distance: number }>();

  constructor(text: string) {
    this.text = text;
    const { length } = Array.from(text);
    this.#distanceMax = length < BEGINNING_MIN ? 0 : length < 5 ? 1 : 2;
  }

  /** @param key the folded form that is compared */
  offer(key: string, shown: string, count: number): void {
    const known = this.#offers.get(key);
    if (known !== undefined) {
      known.count += count;
      return;
    }
    const distance = editDistance(this.text, key, this.#distanceMax);
    if (distance > 0 && distance <= this.#distanceMax) this.#offers.set(key, { shown, count, distance });
  }

  get best(): string | undefined {
    const offers = [...this.#offers.values()];
    offers.sort((one, other) => one.distance - other.distance || other.count - one.count);
    return offers[0]?.shown;
  }
}

/**
 * How many letters must be added, removed, replaced or swapped with the next one to make one word of another (optimal
 * string alignment). For distances beyond `max`, the result is any number above it.
 */
export function editDistance(one: string, other: string, max: number): number {
  const [from, to] = [Array.from(one), Array.from(other)];
  if (Math.abs(from.length - to.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = to.map((_, index) => index + 1);
  last.unshift(0);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}

/** The search with its only word replaced by a beginning. */
export function withPrefix(query: readonly QueryPart[], beginning: string): string {
  return joinQueryParts(query.map((part) => (part.isWord ? { text: `${beginning}*` } : part)));
}

import type { Query, Term } from "../../src/search/query/query.ts";
import { type Token, tokenize } from "../../src/search/text/tokens.ts";
import { urlParts } from "../../src/search/text/urls.ts";
import { tagsOf, textOf } from "../../src/tags/description-tags.ts";
import { tagKey } from "../../src/tags/tag-name.ts";

export interface ModelBookmark {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly createdAt: number;
}

type Texts = Readonly<Record<"title" | "tags" | "url" | "body" | "host", readonly string[]>>;

/** The ids of the matches in the order of relevance, found by looking at every bookmark. */
export function naiveSearch(bookmarks: readonly ModelBookmark[], query: Query): number[] {
  return bookmarks
    .filter((bookmark) => matches(bookmark, query, 3))
    .map((bookmark) => ({ ...bookmark, tier: [1, 2, 3].find((tier) => matches(bookmark, query, tier)) ?? 3 }))
    .toSorted((one, other) => one.tier - other.tier || other.createdAt - one.createdAt || other.id - one.id)
    .map(({ id }) => id);
}

function matches(bookmark: ModelBookmark, query: Query, tier: number): boolean {
  switch (query.type) {
    case "and":
      return query.nodes.every((node) => matches(bookmark, node, tier));
    case "or":
      return query.nodes.some((node) => matches(bookmark, node, tier));
    case "not":
      return !matches(bookmark, query.node, 3);
    case "term":
      return placesOf(query, tier).some((place) =>
        textsOf(bookmark)[place].some((text) => hasTerm(text, query)),
      );
    case "tag":
      return keysOf(bookmark).some(
        (key) => key === query.key || (!query.isExact && key.startsWith(`${query.key}/`)),
      );
    case "untagged":
      return keysOf(bookmark).length === 0;
    case "site": {
      const { host } = urlParts(bookmark.url);
      return host === query.host || host.endsWith(`.${query.host}`);
    }
    case "linked":
    case "inside":
    case "state":
      return false;
    case "created": {
      const { from = 0, to = Number.POSITIVE_INFINITY } = query;
      return bookmark.createdAt >= from && bookmark.createdAt < to;
    }
  }
}

function placesOf({ field }: Term, tier: number): readonly (keyof Texts)[] {
  if (field === "title" || field === "url" || field === "body") return [field];
  if (tier === 1) return ["title"];
  return tier === 2 ? ["title", "tags", "host"] : ["title", "tags", "url", "body"];
}

const texts = new WeakMap<ModelBookmark, Texts>();

function textsOf(bookmark: ModelBookmark): Texts {
  const known = texts.get(bookmark);
  if (known !== undefined) return known;
  const { title, url, description } = bookmark;
  const { host, afterHost: rest } = urlParts(url);
  const made = {
    title: [title],
    tags: tagsOf(description),
    url: [`${host} ${rest}`],
    body: [textOf(description)],
    host: [host],
  };
  texts.set(bookmark, made);
  return made;
}

function keysOf({ description }: ModelBookmark): string[] {
  return tagsOf(description).map(tagKey);
}

const tokensOf = new Map<string, readonly Token[]>();

function hasTerm(text: string, { tokens: words, isPrefix }: Term): boolean {
  const tokens = tokensOf.get(text) ?? [...tokenize(text)];
  tokensOf.set(text, tokens);
  const isWord = ({ text: token }: Token, index: number) =>
    isPrefix && index === words.length - 1 ? token.startsWith(words[index] ?? "") : token === words[index];
  if (words.length === 1) return tokens.some((token) => isWord(token, 0));
  const sequence = tokens.filter(({ isExtra }) => !isExtra);
  return sequence.some((_, start) =>
    words.every((_, index) => {
      const token = sequence[start + index];
      return token !== undefined && isWord(token, index);
    }),
  );
}

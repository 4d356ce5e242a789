import { hostName, tagOfRank, wordOfRank } from "../../data/searchable-bookmarks.ts";

/** Kinds of queries. Each gives a different query for every number. */
export const KINDS: Readonly<Record<string, (index: number) => string>> = {
  "a common word": (index) => wordOfRank(index % 20),
  "two common words": (index) => `${wordOfRank(index % 20)} ${wordOfRank((index % 19) + 20)}`,
  "a rare word": (index) => wordOfRank(20_000 + index * 7),
  "a prefix of 2 characters": (index) => `${wordOfRank(index * 11).slice(0, 2)}*`,
  "a prefix of 3 characters": (index) => `${wordOfRank(index * 11).slice(0, 3)}*`,
  "a phrase of common words": (index) => `"${wordOfRank(index % 20)} ${wordOfRank(index % 7)}"`,
  "a tag": (index) => `#${tagOfRank(index % 50)}`,
  "a site": (index) => `site:${hostName(index % 50)}`,
};

/** A query, percent-encoded for a URL. */
export function query(text = ""): string {
  return encodeURIComponent(text);
}

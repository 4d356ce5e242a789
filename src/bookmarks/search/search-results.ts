import type { Sql } from "../../database/database.ts";
import type { ParsedQuery } from "../../search/query/query.ts";
import type { SearchRequest } from "../../search/search.ts";
import type { SearchPosition } from "../../search/search-position.ts";
import { highlightsIn, type TextRange } from "../../search/text/found-words.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { type BookmarkResponse, toResponse } from "../bookmark.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { findBookmarks } from "../bookmark-store.ts";
import { namesOf } from "../tags/tag-list.ts";
import { type InsideSentence, insideSentences } from "./inside-copies.ts";

/** The tags of a result are counted over its newest matches, at most this many. */
export const TAGGED_MAX = 1_000;
/** The number of most frequent tags that a result has. */
const TAGS_MAX = 100;

export interface Highlight extends TextRange {
  readonly field: "title" | "url" | "text";
}

/** A match as pages show it. */
export interface SearchResult {
  readonly bookmark: BookmarkResponse;
  readonly tags: readonly string[];
  /** The description without its tag line. */
  readonly text: string;
  readonly highlights: readonly Highlight[];
  /** Where the copy of its page has the words, if they were found there. */
  readonly inside: { readonly text: string; readonly highlights: readonly TextRange[] } | null;
}

export interface TagCount {
  readonly name: string;
  readonly count: number;
}

export interface SearchResults {
  readonly matches: number;
  readonly more: boolean;
  /** Of the newest {@link TAGGED_MAX} matches. */
  readonly tags: readonly TagCount[];
  readonly results: readonly SearchResult[];
  readonly next: SearchPosition | undefined;
}

/** The data of a page of results. @throws Refusal `unavailable` when it takes too long */
export async function searchBookmarks(
  parts: Pick<BookmarkParts, "database" | "search" | "copies">,
  request: SearchRequest,
): Promise<SearchResults> {
  const { database, search } = parts;
  const { query, inside } = request;
  const [{ page, count }, newest] = await Promise.all([
    search.pageAndCount(request),
    search.page({ query, sort: "newest", limit: TAGGED_MAX, inside }),
  ]);
  const found = page.ids.length === 0 ? new Map() : await findBookmarks(database.readMany, page.ids);
  const sentences = await insideSentences(parts, query, page);
  return {
    ...count,
    tags: await search.apart((sql) => countTags(sql, newest.ids)),
    results: page.ids.flatMap((id) => {
      const bookmark = found.get(id);
      return bookmark === undefined ? [] : [resultOf(toResponse(bookmark), query, sentences.get(id))];
    }),
    next: page.next,
  };
}

function resultOf(
  bookmark: BookmarkResponse,
  query: ParsedQuery | undefined,
  sentence: InsideSentence | undefined,
): SearchResult {
  const { title, url, description } = bookmark;
  const text = textOf(description);
  const fields = [
    { field: "title", value: title, name: "title" },
    { field: "url", value: url, name: "url" },
    { field: "text", value: text, name: "body" },
  ] as const;
  const highlights = fields.flatMap(({ field, value, name }) =>
    highlightsIn(value, query?.root, name).map((range) => ({ field, ...range })),
  );
  const inside =
    sentence === undefined
      ? null
      : { text: sentence.text, highlights: highlightsIn(sentence.text, sentence.words, "body") };
  return { bookmark, tags: tagsOf(description), text, highlights, inside };
}

/** The tags of some bookmarks, the most frequent first. */
async function countTags(sql: Sql, ids: readonly number[]): Promise<TagCount[]> {
  if (ids.length === 0) return [];
  const rows = await sql<{ tag_key: string; n: number }>`
    select tag_key, count(*) as n from search_bookmarks_tags where record_id in ${ids}
    group by tag_key order by n desc, tag_key limit ${TAGS_MAX}`;
  const names = await namesOf(
    sql,
    rows.map((row) => row.tag_key),
  );
  return rows.map(({ tag_key, n }) => ({ name: names.get(tag_key) ?? tag_key, count: Number(n) }));
}

import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { StampedRequest } from "../../database/request-stamp.ts";
import { invalid } from "../../errors.ts";
import { type Caller, currentAccess, isAllowed } from "../../http/access.ts";
import { insideWordsOf, refuseCopies } from "../../search/query/conditions.ts";
import type { ParsedQuery, Query } from "../../search/query/query.ts";
import { QueryError } from "../../search/query/query-error.ts";
import type { Search, SearchPage } from "../../search/search.ts";
import { sentenceWith } from "../../search/text/sentence.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";

type Parts = Pick<BookmarkParts, "copies">;

/** Whether the caller may read copies: only then searches look inside them. */
export function mayReadCopies(
  { copies }: Parts,
  call: StampedRequest & { readonly caller: Caller },
): Awaitable<boolean> {
  return thenSync(currentAccess(copies.readAccess, call), (access) => isAllowed(call.caller, access));
}

/**
 * Refuses a search for copies of a caller who may not read them.
 * @throws QueryError
 */
export function checkCopies(query: ParsedQuery | undefined, mayRead: boolean): void {
  if (query === undefined || mayRead) return;
  refuseCopies(
    query,
    (name, what) => `"${name}" asks for ${what}, which need an account or a token with bookmarks:read.`,
  );
}

/**
 * Refuses a search for copies where its matches are shared.
 * @throws QueryError
 */
export function refuseSharedCopies(query: ParsedQuery): void {
  refuseCopies(query, (name, what) => `"${name}" asks for ${what}, which are never shared.`);
}

/**
 * Runs a check of a query, whose error becomes the answer to a request.
 * @param place the parameter, or the place in the body, that has the query
 * @throws Refusal `invalid`
 */
export function checkedQuery(
  check: () => void,
  place: { readonly parameter: string } | { readonly pointer: string } = { parameter: "q" },
): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw invalid([{ ...place, code: error.code, detail: error.message, position: error.position }]);
  }
}

/** A sentence of a copy, and the query whose words are to be marked in it. */
export interface InsideSentence {
  readonly text: string;
  readonly words: Query;
}

/**
 * The sentences of those bookmarks of a page of matches that were found inside their copies.
 * @param length about how many characters each has
 */
export async function insideSentences(
  { copies, search }: Parts & { readonly search: Search },
  query: ParsedQuery | undefined,
  { ids, inside }: Pick<SearchPage, "ids" | "inside">,
  length?: number,
): Promise<ReadonlyMap<number, InsideSentence>> {
  const { words, isAsked } = query === undefined ? {} : insideWordsOf(query);
  const wanted = isAsked ? ids : ids.filter((id) => inside.has(id));
  if (words === undefined || wanted.length === 0) return new Map();
  const sentences = new Map<number, InsideSentence>();
  await search.apart((sql) =>
    copies.eachText(sql, wanted, (id, copy) => {
      const text = sentenceWith(copy, words, length);
      if (text !== undefined) sentences.set(id, { text, words });
    }),
  );
  return sentences;
}

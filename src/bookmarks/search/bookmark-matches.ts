import type { StampedRequest } from "../../database/request-stamp.ts";
import { invalid } from "../../errors.ts";
import { entityTag } from "../../http/caching/etags.ts";
import { continued, type Rendering } from "../../http/caching/rendering.ts";
import { withParameter } from "../../http/parameters.ts";
import { type ResponseData, type StreamedResponseData, totalCount } from "../../http/response-data.ts";
import type { MatchCount, Search, SearchPage, SearchRequest } from "../../search/search.ts";
import { type SortedPosition, writeSearchCursor } from "../../search/search-cursor.ts";
import { type Extras, matchesAsJson } from "../bookmark-list.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { collectionState } from "../bookmark-store.ts";

/** Matches read at once, of a list without a limit. */
const BATCH = 250;

type Parts = Pick<BookmarkParts, "database" | "cache" | "search">;

export interface MatchListRequest {
  readonly call: StampedRequest;
  readonly caching: "public" | "private";
  /** The URL of the list, without the query. */
  readonly url: string;
  /** The query as it was sent. */
  readonly sent: string;
  /** Parts of the entity tag besides the version. */
  readonly tagParts: readonly string[];
  readonly query: SearchRequest["query"];
  /** Whether the caller may read copies, inside which bookmarks are found, too. */
  readonly inside: boolean;
  readonly sort: SearchRequest["sort"];
  readonly limit: number | undefined;
  readonly after: SortedPosition | undefined;
  readonly extras: Extras | undefined;
}

/**
 * The bookmarks that match, or all in another order, as an array. During an import, `Search-Behind` is the number of
 * bookmarks that are not indexed yet.
 *
 * @throws Refusal `invalid` for a cursor of another order
 */
export async function answerMatches(
  dependencies: Parts,
  requested: MatchListRequest,
): Promise<ResponseData | StreamedResponseData> {
  const { database, cache, search } = dependencies;
  const { call, caching, url, sent, after, sort, inside } = requested;
  const tagParts = [...requested.tagParts, ...(inside ? ["copies"] : [])];
  if (after !== undefined && after.sort !== sort) throw staleCursor();
  return cache.answer(call, `${inside ? "copies " : ""}${url}${sent}`, {
    caching,
    searches: true,
    async version(read) {
      const { count, version } = await collectionState(read);
      const behind = await search.behind(inside);
      const etag = entityTag(database.epoch, version, ...tagParts, ...waitingPart(behind));
      return { etag, behind, count };
    },
    async body({ behind, count }) {
      const { text, headers } = await render(dependencies, requested);
      return {
        text,
        headers: {
          ...(requested.query === undefined && totalCount(count)),
          ...headers,
          ...(behind > 0 && { "search-behind": String(behind) }),
        },
      };
    },
  });
}

/** The part of an entity tag for records that are not indexed yet: what a search finds changes with their number. */
export function waitingPart(behind: number): readonly string[] {
  return behind === 0 ? [] : [`behind${behind}`];
}

/** The cursor belongs to another list. */
export function staleCursor() {
  const detail = "The cursor is invalid or expired. Start again without one.";
  return invalid([{ parameter: "cursor", code: "bad_cursor", detail }]);
}

async function render(dependencies: Parts, requested: MatchListRequest): Promise<Rendering> {
  const { database, search } = dependencies;
  const { query, sort, limit, after, extras, url, sent, inside } = requested;
  const wanted = { query, sort, limit: limit ?? BATCH, after, inside };
  const { page: first, count } = await find(search, wanted);
  const batches =
    limit === undefined ? rest(search, first, { query, sort, limit: BATCH, inside }) : only(first.ids);
  const next = limit === undefined ? undefined : first.next;
  const text = matchesAsJson(database.readMany, batches, extras);
  const beginning = await text.next();
  return {
    text: continued(beginning.done ? [] : [beginning.value], text),
    headers: {
      ...(count && { "search-matches": matchesText(count) }),
      // Above COUNT_MAX matches are not counted.
      ...(count && !count.more && totalCount(count.matches)),
      ...(next && {
        link: `<${url}${withParameter(sent, "cursor", writeSearchCursor(database.epoch, sort, next))}>; rel="next"`,
      }),
    },
  };
}

async function find(
  search: Search,
  wanted: SearchRequest,
): Promise<{ readonly page: SearchPage; readonly count?: MatchCount }> {
  return wanted.query === undefined ? { page: await search.page(wanted) } : search.pageAndCount(wanted);
}

/** The batch that was found already, and those after it. */
async function* rest(
  search: Search,
  { ids, next }: SearchPage,
  request: SearchRequest,
): AsyncGenerator<readonly number[]> {
  yield ids;
  if (next !== undefined) yield* search.batches({ ...request, after: next });
}

async function* only<T>(piece: T): AsyncGenerator<T> {
  yield piece;
}

/** `1234`, or `1000+` if there are more. */
export function matchesText({ matches, more }: MatchCount): string {
  return more ? `${matches}+` : String(matches);
}

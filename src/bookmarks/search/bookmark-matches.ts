import { type Awaitable, allEnded } from "../../awaitable.ts";
import type { Database } from "../../database/database.ts";
import type { Stamps } from "../../database/moment.ts";
import { invalid } from "../../errors.ts";
import { ChangedDuringRead } from "../../http/caching/changed-during-read.ts";
import { entityTag } from "../../http/caching/etags.ts";
import { continued, type Rendering } from "../../http/caching/rendering.ts";
import type { ResponseCache } from "../../http/caching/response-cache.ts";
import { withParameter } from "../../http/parameters.ts";
import type { ResponseData, StreamedResponseData } from "../../http/response-data.ts";
import type { IndexView } from "../../search/index/index-view.ts";
import type { MatchCount, Search, SearchPage, SearchRequest } from "../../search/search.ts";
import { type SortedPosition, writeSearchCursor } from "../../search/search-cursor.ts";
import { matchesAsJson } from "../bookmark-list.ts";
import { collectionState } from "../bookmark-store.ts";

/** Matches read at once, of a list without a limit. */
const BATCH = 250;
/** The module that finds and renders a page in a thread. */
const PAGE_MODULE = "bookmarks/search/sqlite-page.ts";

export interface MatchListDependencies {
  readonly database: Database;
  readonly cache: ResponseCache;
  readonly search: Search;
}

export interface MatchListRequest {
  readonly request: Request;
  readonly moment: Stamps;
  readonly caching: "public" | "private";
  /** The URL of the list, without the query. */
  readonly url: string;
  /** The query as it was sent. */
  readonly sent: string;
  /** Parts of the entity tag besides the version. */
  readonly tagParts: readonly string[];
  readonly query: SearchRequest["query"];
  readonly sort: SearchRequest["sort"];
  readonly limit: number | undefined;
  readonly after: SortedPosition | undefined;
  readonly extras: readonly string[] | undefined;
}

/**
 * The bookmarks that match, or all in another order, as an array. During an import, `Search-Behind` is the number of
 * bookmarks that are not indexed yet.
 *
 * @throws Refusal `invalid` for a cursor of another order
 */
export function answerMatches(
  dependencies: MatchListDependencies,
  requested: MatchListRequest,
): Awaitable<ResponseData | StreamedResponseData> {
  const { database, cache, search } = dependencies;
  const { request, moment, caching, url, sent, tagParts, limit, after, sort } = requested;
  if (after !== undefined && after.sort !== sort) throw staleCursor();
  const attempts = search.attempts();
  let waited: Promise<IndexView> | undefined;
  return cache.answer(request, url + sent, {
    moment,
    caching,
    inBatches: true,
    async version(read) {
      // The version is read first: then the index has at least the changes up to it.
      const { count, version } = await collectionState(read);
      // Once for a request: afterwards the version alone shows whether the response is still current.
      waited ??= attempts.begin();
      const view = await waited;
      const { behind } = view;
      // A result of an outdated index belongs to no version: its tag is never current again.
      const unique = behind === 0 ? [] : [crypto.randomUUID().slice(0, 8)];
      const etag = entityTag(database.epoch, version, ...tagParts, ...unique);
      return { etag, view, count, isLong: limit === undefined };
    },
    async body({ view, count }) {
      const { behind } = view;
      const { text, headers } = await render(dependencies, requested, view, async (isFirst) => {
        // Only the first search is given up: later ones may belong to a response that has begun. They use no pairs.
        const isLost = isFirst
          ? await attempts.mustRepeat(view)
          : (await search.changeSince(view)) === "entries";
        if (!isLost) return;
        waited = undefined;
        throw new ChangedDuringRead("the search index was recreated");
      });
      const isPageOfAll = requested.query === undefined && limit !== undefined;
      return {
        text,
        headers: {
          ...(isPageOfAll && { "x-total-count": String(count) }),
          ...headers,
          ...(behind > 0 && { "search-behind": String(behind) }),
        },
      };
    },
  });
}

/** The cursor belongs to another list. */
export function staleCursor() {
  const detail = "The cursor is invalid or expired. Start again without one.";
  return invalid([{ parameter: "cursor", code: "bad_cursor", detail }]);
}

/** @param confirm called after each search, the first or a later one; throws if the index was recreated */
async function render(
  dependencies: MatchListDependencies,
  requested: MatchListRequest,
  view: IndexView,
  confirm: (isFirst: boolean) => Promise<void>,
): Promise<Rendering> {
  const { database, search } = dependencies;
  const { query, sort, limit, after, extras, url, sent } = requested;
  const wanted = { query, sort, limit: limit ?? BATCH, after, view };
  const { page: first, count, text: rendered } = await find(search, wanted, limit === undefined, extras);
  const batches =
    limit === undefined ? rest(search, first, { query, sort, limit: BATCH }, confirm) : only(first.ids);
  const next = limit === undefined ? undefined : first.next;
  const text = rendered === undefined ? matchesAsJson(database, batches, extras) : only(rendered);
  // Sent together to save a round trip to PostgreSQL.
  const [beginning] = await allEnded([text.next(), confirm(true)]);
  return {
    text: continued(beginning.done ? [] : [beginning.value], text),
    headers: {
      ...(count && { "search-matches": matchesText(count) }),
      ...(next && {
        link: `<${url}${withParameter(sent, "cursor", writeSearchCursor(database.epoch, sort, next))}>; rel="next"`,
      }),
    },
  };
}

/** Finds the first page; its text, too, if that is the whole response and a thread has rendered it. */
async function find(
  search: Search,
  wanted: SearchRequest,
  isLong: boolean,
  extras: readonly string[] | undefined,
): Promise<{ readonly page: SearchPage; readonly count?: MatchCount; readonly text?: string | undefined }> {
  if (wanted.query === undefined) return { page: await search.page(wanted) };
  return isLong ? search.pageAndCount(wanted) : search.renderedPage(wanted, PAGE_MODULE, extras);
}

/** The batch that was found already, and those after it. */
async function* rest(
  search: Search,
  { ids, next }: SearchPage,
  request: SearchRequest,
  confirm: (isFirst: boolean) => Promise<void>,
): AsyncGenerator<readonly number[]> {
  yield ids;
  if (next === undefined) return;
  for await (const batch of search.batches({ ...request, after: next })) {
    await confirm(false);
    yield batch;
  }
}

async function* only<T>(piece: T): AsyncGenerator<T> {
  yield piece;
}

/** `1234`, or `1000+` if there are more. */
export function matchesText({ matches, more }: MatchCount): string {
  return more ? `${matches}+` : String(matches);
}

import type { BookmarkParts } from "../../bookmarks/bookmark-parts.ts";
import type { ListedBookmark } from "../../bookmarks/bookmark-row.ts";
import { findBookmark } from "../../bookmarks/bookmark-store.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { mayReadCopies } from "../../bookmarks/search/inside-copies.ts";
import type { Database, Sql } from "../../database/database.ts";
import type { Call } from "../../http/endpoint.ts";
import { aroundItems } from "../../http/pagination.ts";
import type { ResponseData, StreamedResponseData } from "../../http/response-data.ts";
import type { BookmarkStates } from "../../records/bookmark-members.ts";
import { parseQuery } from "../../search/query/parser.ts";
import type { ParsedQuery } from "../../search/query/query.ts";
import { QueryError } from "../../search/query/query-error.ts";
import type { Search, SearchScope } from "../../search/search.ts";
import { toLinkding } from "./linkding-bookmark.ts";
import {
  countListedBookmarks,
  findBookmarksByIds,
  type ListFilter,
  type ListPage,
  listPage,
  searchCondition,
} from "./linkding-store.ts";
import { pageEnvelope, parseListQuery, translateQuery } from "./list-query.ts";

/** The maximum number of matches that are counted and can be paged through. */
const MATCHES_MAX = 10_000;

interface Found {
  readonly count: number;
  readonly listed: readonly ListedBookmark[];
}

/** The page of bookmarks that the query requests. */
export async function listResponse(
  bookmarks: Pick<BookmarkParts, "database" | "search" | "copies">,
  call: Call,
  states: Partial<BookmarkStates>,
): Promise<ResponseData | StreamedResponseData> {
  const { database, search: index } = bookmarks;
  const { client, path, search } = call;
  const { page, filter: asked, q } = parseListQuery(search);
  const { text, unread } = translateQuery(q);
  const filter = { ...asked, ...states, ...(unread && { unread }) };
  const { count, listed } =
    text === ""
      ? await database.snapshot((read) => list(read, filter, page))
      : await find(database, index, text, { ...filter, inside: await mayReadCopies(bookmarks, call) }, page);
  const empty = pageEnvelope(`${client.origin}${path}`, search, count, page.limit, page.offset);
  return { status: 200, body: aroundItems(empty, itemsOf(database, listed)) };
}

async function list(read: Sql, filter: ListFilter, page: ListPage): Promise<Found> {
  const [count, listed] = await Promise.all([
    countListedBookmarks(read, filter),
    listPage(read, filter, page),
  ]);
  return { count, listed };
}

async function find(
  { read }: Database,
  search: Search,
  text: string,
  { inside, ...filter }: ListFilter & { readonly inside: boolean },
  { sort, limit, offset }: ListPage,
): Promise<Found> {
  const query = parsed(text);
  if (query?.root === undefined && query?.pageHash === undefined) return { count: 0, listed: [] };
  const visible = searchCondition(filter);
  const { matches } = await search.count({ query, visible, inside }, MATCHES_MAX);
  if (offset >= matches) return { count: matches, listed: [] };
  const scope = { query, visible, inside };
  const ids =
    sort === "title_desc"
      ? await lastTitles(search, scope)
      : // Search results are paged by cursor, so the earlier pages are read, too.
        (await search.page({ ...scope, sort: SORTS[sort], limit: offset + limit })).ids;
  const shown = ids.slice(offset, offset + limit);
  return { count: matches, listed: shown.length === 0 ? [] : await findBookmarksByIds(read, shown) };
}

const SORTS = { added_desc: "newest", added_asc: "oldest", title_asc: "title" } as const;

/** The ids of all matches, the last title first. A search sorts by title in one direction only, so all of them are read. */
async function lastTitles(search: Search, scope: SearchScope): Promise<readonly number[]> {
  const ids: number[][] = [];
  for await (const batch of search.batches({ ...scope, sort: "title", limit: MATCHES_MAX }))
    ids.push([...batch]);
  return ids.flat().reverse();
}

/** As in linkding, an invalid query matches nothing. */
function parsed(text: string): ParsedQuery | undefined {
  try {
    return parseQuery(text, indexedBookmarks.vocabulary);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

/** Bookmarks as items of a JSON array; those with long descriptions are read and written one by one. */
async function* itemsOf(database: Database, listed: readonly ListedBookmark[]): AsyncGenerator<string> {
  let short: unknown[] = [];
  for (const bookmark of listed) {
    const { description } = bookmark;
    if (description !== undefined) {
      short.push(toLinkding({ ...bookmark, description }));
      continue;
    }
    if (short.length > 0) yield JSON.stringify(short).slice(1, -1);
    short = [];
    const long = await findBookmark(database.read, bookmark.id);
    if (long !== undefined) yield JSON.stringify(toLinkding(long));
  }
  if (short.length > 0) yield JSON.stringify(short).slice(1, -1);
}

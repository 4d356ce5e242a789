import type { Bookmark } from "../../bookmarks/bookmark.ts";
import { type StatesRow, statesOf } from "../../bookmarks/bookmark-states.ts";
import type { Instant, Sql } from "../../database/database.ts";
import { type Fragment, fragment, joined } from "../../database/fragment.ts";
import type { BookmarkWithStates } from "./linkding-bookmark.ts";

/** The conditions of a list. */
export interface ListFilter {
  readonly archived?: boolean | undefined;
  readonly unread?: boolean | undefined;
  readonly shared?: boolean | undefined;
  readonly addedSince?: Date | undefined;
  readonly modifiedSince?: Date | undefined;
}

export const SORTS = ["added_desc", "added_asc", "title_asc", "title_desc"] as const;
export type Sort = (typeof SORTS)[number];

export interface ListPage {
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number;
}

/** A bookmark of a list, without its description if that is too long to be read together with others. */
export type ListedBookmark = Omit<BookmarkWithStates, "description"> & {
  readonly description: string | undefined;
};

interface StoredRow extends Pick<Bookmark, "id" | "title" | "url" | "version">, StatesRow {
  readonly description: string | null;
  readonly created_at: Instant;
  readonly modified_at: Instant;
}

/** The maximum number of bytes of descriptions read with a page, divided equally among its bookmarks. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

const ORDERS: Readonly<Record<Sort, Fragment>> = {
  added_desc: fragment`b.created_at desc, b.id desc`,
  added_asc: fragment`b.created_at, b.id`,
  title_asc: fragment`b.title, b.id`,
  title_desc: fragment`b.title desc, b.id desc`,
};

/** A bookmark with its states. @param id may exceed the safe integers; then there is no such bookmark */
export async function findBookmarkWithStates(
  sql: Sql,
  id: number | bigint,
): Promise<BookmarkWithStates | undefined> {
  if (typeof id === "bigint") return undefined;
  const [row] = await sql<StoredRow>`${selectFrom(Number.MAX_SAFE_INTEGER)} where b.id = ${id}`;
  return row && { ...fromRow(row), description: row.description ?? "" };
}

/** A page of a list. */
export async function listBookmarksWithStates(
  sql: Sql,
  filter: ListFilter,
  page: ListPage,
): Promise<ListedBookmark[]> {
  const { sort, limit, offset } = page;
  const share = Math.floor(BYTES_AT_ONCE / limit);
  const rows = await sql<StoredRow>`
    ${selectFrom(share)} where ${conditionOf(filter)} order by ${ORDERS[sort]} limit ${limit} offset ${offset}`;
  return rows.map(fromRow);
}

/** The number of bookmarks that match a filter, in a snapshot. */
export async function countListedBookmarks(sql: Sql, filter: ListFilter): Promise<number> {
  // Those that are not archived are all but the archived ones, which have an index: else every row would be read.
  if (filter.archived === false) {
    const all = await countListedBookmarks(sql, { ...filter, archived: undefined });
    return all - (await countListedBookmarks(sql, { ...filter, archived: true }));
  }
  const [row] = await sql<{ n: number }>`
    select count(*) as n from bookmarks b where ${conditionOf(filter)}`;
  return Number(row?.n ?? 0);
}

/** Bookmarks in the order of the given ids; deleted ones are left out. */
export async function findBookmarksByIds(sql: Sql, ids: readonly number[]): Promise<ListedBookmark[]> {
  if (ids.length === 0) return [];
  const share = Math.floor(BYTES_AT_ONCE / ids.length);
  const rows = await sql<StoredRow>`${selectFrom(share)} where b.id in ${ids}`;
  const byId = new Map(rows.map(fromRow).map((bookmark) => [bookmark.id, bookmark]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The conditions of a list as SQL on entries `e` of the search index. */
export function searchCondition(filter: ListFilter): Fragment {
  return fragment`e.id in (
    select b.id from bookmarks b where b.id = e.id and ${conditionOf(filter)})`;
}

function selectFrom(longest: number): Fragment {
  return fragment`
    select b.id, b.title, b.url, case when octet_length(b.description) <= ${longest} then b.description end
      as description, b.version, b.created_at, b.unread, b.archived, b.shared,
      case when b.states_updated_at > b.updated_at then b.states_updated_at else b.updated_at end as modified_at
    from bookmarks b`;
}

function conditionOf({ archived, unread, shared, addedSince, modifiedSince }: ListFilter): Fragment {
  const conditions = [
    is(fragment`b.archived`, archived),
    is(fragment`b.unread`, unread),
    is(fragment`b.shared`, shared),
    ...(addedSince ? [fragment`b.created_at > ${addedSince}`] : []),
    ...(modifiedSince
      ? [fragment`(b.updated_at > ${modifiedSince} or b.states_updated_at > ${modifiedSince})`]
      : []),
  ].filter((condition) => condition !== undefined);
  return joined([fragment`1 = 1`, ...conditions], fragment` and `);
}

function is(column: Fragment, wanted: boolean | undefined): Fragment | undefined {
  if (wanted === undefined) return undefined;
  return wanted ? fragment`${column} is true` : fragment`${column} is not true`;
}

function fromRow(row: StoredRow): ListedBookmark {
  return {
    id: Number(row.id),
    title: row.title,
    url: row.url,
    description: row.description ?? undefined,
    version: Number(row.version),
    createdAt: new Date(row.created_at),
    modifiedAt: new Date(row.modified_at),
    states: statesOf(row),
  };
}

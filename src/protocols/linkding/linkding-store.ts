import {
  bookmarkColumns,
  bookmarkOf,
  type ListedBookmark,
  type ListedRow,
} from "../../bookmarks/bookmark-row.ts";
import { listBookmarksById } from "../../bookmarks/bookmark-store.ts";
import type { Sql } from "../../database/database.ts";
import { type Fragment, fragment, joined } from "../../database/fragment.ts";

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

/** The maximum number of bytes of descriptions read with a page, divided equally among its bookmarks. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

const ORDERS: Readonly<Record<Sort, Fragment>> = {
  added_desc: fragment`b.created_at desc, b.id desc`,
  added_asc: fragment`b.created_at, b.id`,
  title_asc: fragment`b.title, b.id`,
  title_desc: fragment`b.title desc, b.id desc`,
};

/** A page of a list. */
export async function listPage(sql: Sql, filter: ListFilter, page: ListPage): Promise<ListedBookmark[]> {
  const { sort, limit, offset } = page;
  const share = Math.floor(BYTES_AT_ONCE / limit);
  const rows = await sql<ListedRow>`
    select ${bookmarkColumns(share)} from bookmarks b where ${conditionOf(filter)}
    order by ${ORDERS[sort]} limit ${limit} offset ${offset}`;
  return rows.map((row) => bookmarkOf(row));
}

/** The number of bookmarks that match a filter, in a snapshot. */
export async function countListedBookmarks(sql: Sql, filter: ListFilter): Promise<number> {
  // The others are all but the archived ones, which have an index: else every row would be read.
  if (filter.archived === false && filter.unread !== true) {
    const all = await countListedBookmarks(sql, { ...filter, archived: undefined });
    return all - (await countListedBookmarks(sql, { ...filter, archived: true }));
  }
  const [row] = await sql<{ n: number }>`
    select count(*) as n from bookmarks b where ${conditionOf(filter)}`;
  return Number(row?.n ?? 0);
}

/** Bookmarks in the order of the given ids; deleted ones are left out. */
export function findBookmarksByIds(sql: Sql, ids: readonly number[]): Promise<ListedBookmark[]> {
  return listBookmarksById(sql, ids, Math.floor(BYTES_AT_ONCE / ids.length));
}

/** The conditions of a list as SQL on entries `e` of the search index. */
export function searchCondition(filter: ListFilter): Fragment {
  return fragment`e.id in (
    select b.id from bookmarks b where b.id = e.id and ${conditionOf(filter)})`;
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

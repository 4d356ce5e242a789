import type { ListPosition } from "../bookmarks/bookmark-store.ts";
import type { Instant, Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";

/** The filters of a list: bookmarks in one state; without a filter, all but the archived ones. */
export const STATE_FILTERS = ["unread", "archived"] as const;
export type StateFilter = (typeof STATE_FILTERS)[number] | undefined;

/** The filter of a query; none for an unknown value. */
export function stateFilter(show: string | undefined): StateFilter {
  return STATE_FILTERS.find((state) => state === show);
}

/** A bookmark as a list of the library shows it. */
export interface LibraryBookmark {
  readonly id: number;
  readonly version: number;
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly unread: boolean;
  readonly archived: boolean;
  /** The hash of its site's icon; undefined when there is none. */
  readonly icon: string | undefined;
}

interface EntryRow {
  readonly id: number;
  readonly version: number;
  readonly title: string;
  readonly url: string;
  readonly description: string | null;
  readonly created_at: Instant;
  readonly unread: boolean | number;
  readonly archived: boolean | number;
  readonly icon: string | null;
}

/**
 * A description longer than this many bytes is read separately: a page of such descriptions would fill the memory.
 */
const LONG = 32 * 1024;

/** At most `limit` bookmarks, newest first, after a position if one is given. */
export async function listEntries(
  sql: Sql,
  shown: StateFilter,
  limit: number,
  after: ListPosition | undefined,
): Promise<LibraryBookmark[]> {
  const afterCursor = after
    ? fragment`and (b.created_at, b.id) < (${after.createdAt}, ${after.id})`
    : fragment``;
  const rows = await sql<EntryRow>`
    ${SELECT} where ${CONDITIONS[shown ?? "all"]} ${afterCursor}
    order by b.created_at desc, b.id desc limit ${limit}`;
  return entriesOf(sql, rows);
}

/** The ids of all bookmarks of a list. */
export async function listIds(sql: Sql, shown: StateFilter): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    select b.id from bookmarks b where ${CONDITIONS[shown ?? "all"]} order by b.id`;
  return rows.map(({ id }) => Number(id));
}

/** Bookmarks in the order of the given ids; deleted ones are left out. */
export async function findEntries(sql: Sql, ids: readonly number[]): Promise<LibraryBookmark[]> {
  if (ids.length === 0) return [];
  const rows = await sql<EntryRow>`${SELECT} where b.id in ${ids}`;
  const entries = await entriesOf(sql, rows);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A bookmark with its states. @param id may exceed the safe integers; then there is no such bookmark */
export async function findEntry(sql: Sql, id: number | bigint): Promise<LibraryBookmark | undefined> {
  return typeof id === "bigint" ? undefined : (await findEntries(sql, [id]))[0];
}

/** How many bookmarks are in a state. */
export async function countInState(sql: Sql, state: "unread" | "archived"): Promise<number> {
  const column = state === "unread" ? fragment`unread` : fragment`archived`;
  const [row] = await sql<{ n: number }>`
    select count(*) as n from bookmarks where ${column} is true`;
  return Number(row?.n ?? 0);
}

const SELECT = fragment`
  select b.id, b.version, b.title, b.url, b.created_at, b.unread, b.archived, i.hash as icon,
    case when octet_length(b.description) <= ${LONG} then b.description end as description
  from bookmarks b left join search_bookmarks x on x.id = b.id left join site_icons i on i.host = x.host`;

const CONDITIONS: Readonly<Record<"all" | (typeof STATE_FILTERS)[number], Fragment>> = {
  all: fragment`b.archived is not true`,
  unread: fragment`b.unread is true`,
  archived: fragment`b.archived is true`,
};

async function entriesOf(sql: Sql, rows: readonly EntryRow[]): Promise<LibraryBookmark[]> {
  const entries: LibraryBookmark[] = [];
  for (const row of rows) {
    entries.push({
      id: Number(row.id),
      version: Number(row.version),
      title: row.title,
      url: row.url,
      description: row.description ?? (await longDescription(sql, row.id)),
      createdAt: new Date(row.created_at),
      unread: Boolean(row.unread),
      archived: Boolean(row.archived),
      icon: row.icon ?? undefined,
    });
  }
  return entries;
}

async function longDescription(sql: Sql, id: number): Promise<string> {
  const [row] = await sql<{ description: string }>`select description from bookmarks where id = ${id}`;
  return row?.description ?? "";
}

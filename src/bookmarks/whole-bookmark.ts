import type { Instant, Sql } from "../database/database.ts";
import type { BookmarkStates } from "../records/bookmark-members.ts";
import type { BookmarkFields, BookmarkVersion } from "./bookmark-writer.ts";

/** A complete bookmark, except the time of its last change. */
export interface WholeBookmark extends BookmarkVersion, BookmarkFields {
  readonly createdAt: Date;
  readonly createdBy: number | null;
  readonly states: BookmarkStates;
  /** When the states were changed last; null if none was ever set. */
  readonly statesUpdatedAt: Date | null;
  /** When a link that was put off is to be read again. */
  readonly notBefore: Date | null;
}

interface Row extends BookmarkVersion, BookmarkFields {
  readonly created_at: Instant;
  readonly created_by: number | null;
  readonly unread: boolean | number | null;
  readonly archived: boolean | number | null;
  readonly shared: boolean | number | null;
  readonly states_updated_at: Instant | null;
  readonly not_before: Instant | null;
}

/** Bookmarks in the order of their ids; missing ones are left out. @param ids at least one */
export async function findWholeBookmarks(sql: Sql, ids: readonly number[]): Promise<WholeBookmark[]> {
  const rows = await sql<Row>`
    select id, title, url, description, created_at, created_by, version, unread, archived, shared,
      bookmark_states.updated_at as states_updated_at, not_before
    from bookmarks left join bookmark_states on bookmark_id = id where id in ${ids} order by id`;
  return rows.map((row) => ({
    id: Number(row.id),
    title: row.title,
    url: row.url,
    description: row.description,
    createdAt: new Date(row.created_at),
    createdBy: row.created_by === null ? null : Number(row.created_by),
    version: Number(row.version),
    states: { unread: Boolean(row.unread), archived: Boolean(row.archived), shared: Boolean(row.shared) },
    statesUpdatedAt: row.states_updated_at === null ? null : new Date(row.states_updated_at),
    notBefore: row.not_before === null ? null : new Date(row.not_before),
  }));
}

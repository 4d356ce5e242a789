import type { Instant, Sql } from "../database/database.ts";
import type { BookmarkStates } from "../records/bookmark-members.ts";
import { type StatesRow, statesOf } from "./bookmark-states.ts";
import type { BookmarkFields, BookmarkVersion } from "./bookmark-writer.ts";

/** A complete bookmark. */
export interface WholeBookmark extends BookmarkVersion, BookmarkFields {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: number | null;
  readonly states: BookmarkStates;
  /** When the states were changed last; null if none was ever set. */
  readonly statesUpdatedAt: Date | null;
  /** When a link that was put off is to be read again. */
  readonly notBefore: Date | null;
}

interface Row extends BookmarkVersion, BookmarkFields, StatesRow {
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly created_by: number | null;
  readonly states_updated_at: Instant | null;
  readonly not_before: Instant | null;
}

/** Bookmarks in the order of their ids; missing ones are left out. @param ids at least one */
export async function findWholeBookmarks(sql: Sql, ids: readonly number[]): Promise<WholeBookmark[]> {
  const rows = await sql<Row>`
    select id, title, url, description, created_at, updated_at, created_by, version, unread, archived, shared,
      states_updated_at, not_before
    from bookmarks where id in ${ids} order by id`;
  return rows.map((row) => ({
    id: Number(row.id),
    title: row.title,
    url: row.url,
    description: row.description,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    createdBy: row.created_by === null ? null : Number(row.created_by),
    version: Number(row.version),
    states: statesOf(row),
    statesUpdatedAt: row.states_updated_at === null ? null : new Date(row.states_updated_at),
    notBefore: row.not_before === null ? null : new Date(row.not_before),
  }));
}

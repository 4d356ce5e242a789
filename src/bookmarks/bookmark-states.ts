import { inBatches } from "../batches.ts";
import type { Database, Instant, Sql } from "../database/database.ts";
import { rowList } from "../database/fragment.ts";
import { countChange } from "./bookmark-store.ts";

/** The states of a bookmark, which are not part of its version. */
export interface BookmarkStates {
  /** To be read later. */
  readonly unread: boolean;
  readonly archived: boolean;
  readonly shared: boolean;
}

/** The states of one bookmark, and when they were changed last. */
export interface DatedStates extends BookmarkStates {
  readonly updatedAt: Date;
}

export const NO_STATES: BookmarkStates = { unread: false, archived: false, shared: false };

const ROWS_AT_ONCE = 500;

/** Whether any state is set. */
export function hasAnyState({ unread, archived, shared }: BookmarkStates): boolean {
  return unread || archived || shared;
}

/** The states that at least one of the bookmarks has. */
export function joinStates(all: readonly BookmarkStates[]): BookmarkStates {
  return {
    unread: all.some(({ unread }) => unread),
    archived: all.some(({ archived }) => archived),
    shared: all.some(({ shared }) => shared),
  };
}

interface StatesRow {
  readonly bookmark_id: number;
  readonly unread: boolean | number;
  readonly archived: boolean | number;
  readonly shared: boolean | number;
  readonly updated_at: Instant;
}

/** The states of bookmarks by id; a bookmark whose states were never set has none. @param ids at least one */
export async function findStates(sql: Sql, ids: readonly number[]): Promise<Map<number, DatedStates>> {
  const rows = await sql<StatesRow>`
    select bookmark_id, unread, archived, shared, updated_at from bookmark_states where bookmark_id in ${ids}`;
  return new Map(
    rows.map(({ bookmark_id, unread, archived, shared, updated_at }) => [
      Number(bookmark_id),
      {
        unread: Boolean(unread),
        archived: Boolean(archived),
        shared: Boolean(shared),
        updatedAt: new Date(updated_at),
      },
    ]),
  );
}

/**
 * Changes states of bookmarks, in one transaction; missing ones are ignored. The list's entity tag
 * changes, the bookmarks' own do not.
 * @returns how many bookmarks were changed
 */
export function changeStates(
  database: Database,
  ids: readonly number[],
  changes: Partial<BookmarkStates>,
  now: Date,
): Promise<number> {
  return database.write(async (sql) => {
    let changed = 0;
    for (const batch of inBatches([...new Set(ids)], ROWS_AT_ONCE)) {
      const there = await sql<{ id: number }>`select id from bookmarks where id in ${batch}`;
      const known = there.length > 0 ? await findStates(sql, batch) : new Map<number, BookmarkStates>();
      const marked = there.flatMap((row) => {
        const id = Number(row.id);
        const { unread, archived, shared } = known.get(id) ?? NO_STATES;
        const before = { unread, archived, shared };
        const states = { ...before, ...changes };
        return isSame(before, states) ? [] : [{ id, states }];
      });
      if (marked.length > 0) await storeStates(sql, marked, now);
      changed += marked.length;
    }
    if (changed > 0) await countChange(sql, changed, 0);
    return changed;
  });
}

/** States to store. */
export interface MarkedBookmark {
  readonly id: number;
  readonly states: BookmarkStates;
  /** The time of the change when absent. */
  readonly statesUpdatedAt?: Date | undefined;
  /** Until when a link is put off; stored with the first states only. */
  readonly notBefore?: Date | null;
}

/** Overwrites states. The caller counts the change. @param marked existing bookmarks */
export async function storeStates(sql: Sql, marked: readonly MarkedBookmark[], now: Date): Promise<void> {
  const rows = marked.map(({ id, states, statesUpdatedAt = now, notBefore = null }) => [
    ...[id, states.unread, states.archived, states.shared, statesUpdatedAt, notBefore],
  ]);
  await sql`
    insert into bookmark_states (bookmark_id, unread, archived, shared, updated_at, not_before)
    values ${rowList(rows)}
    on conflict (bookmark_id) do update set unread = excluded.unread, archived = excluded.archived,
      shared = excluded.shared, updated_at = excluded.updated_at`;
}

function isSame(one: BookmarkStates, other: BookmarkStates): boolean {
  return one.unread === other.unread && one.archived === other.archived && one.shared === other.shared;
}

/** linkding's mark for archived bookmarks, which is not a tag of the user. */
export const ARCHIVED_TAG = "linkding:bookmarks.archived";

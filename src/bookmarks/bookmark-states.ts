import { inBatches } from "../batches.ts";
import type { Database, Instant, Sql } from "../database/database.ts";
import { rowList } from "../database/fragment.ts";
import { type BookmarkStates, NO_STATES } from "../records/bookmark-members.ts";
import { countChange } from "./bookmark-store.ts";

/** The states of one bookmark, and when they were changed last. */
export interface DatedStates extends BookmarkStates {
  readonly updatedAt: Date;
}

const ROWS_AT_ONCE = 500;

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
    for (const batch of inBatches([...new Set(ids)], ROWS_AT_ONCE))
      changed += (await changeStatesOf(sql, batch, changes, now)).length;
    return changed;
  });
}

/** A bookmark whose states were changed. */
export interface ChangedStates {
  readonly id: number;
  /** The version of the bookmark, which a change of states leaves as it is. */
  readonly version: number;
  readonly before: BookmarkStates;
}

/** {@link changeStates} of at most some hundred bookmarks, in the caller's transaction. @returns those that were changed */
export async function changeStatesOf(
  sql: Sql,
  ids: readonly number[],
  changes: Partial<BookmarkStates>,
  now: Date,
): Promise<ChangedStates[]> {
  const there = await sql<{
    id: number;
    version: number;
  }>`select id, version from bookmarks where id in ${ids}`;
  const known = there.length > 0 ? await findStates(sql, ids) : new Map<number, BookmarkStates>();
  const changed = there.flatMap((row) => {
    const [id, version] = [Number(row.id), Number(row.version)];
    const { unread, archived, shared } = known.get(id) ?? NO_STATES;
    const before = { unread, archived, shared };
    return isSame(before, { ...before, ...changes }) ? [] : [{ id, version, before }];
  });
  if (changed.length === 0) return changed;
  await storeStates(
    sql,
    changed.map(({ id, before }) => ({ id, states: { ...before, ...changes } })),
    now,
  );
  await countChange(sql, changed.length, 0);
  return changed;
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

import { inBatches } from "../batches.ts";
import type { Database, Sql } from "../database/database.ts";
import { fragment, joined } from "../database/fragment.ts";
import type { BookmarkStates } from "../records/bookmark-members.ts";
import { type BookmarkRow, statesOf } from "./bookmark-row.ts";
import { countChange } from "./bookmark-store.ts";

const ROWS_AT_ONCE = 500;

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
  readonly statesUpdatedAt: Date | null;
  readonly notBefore: Date | null;
}

/** {@link changeStates} of at most some hundred bookmarks, in the caller's transaction. @returns those that were changed */
export async function changeStatesOf(
  sql: Sql,
  ids: readonly number[],
  changes: Partial<BookmarkStates>,
  now: Date,
): Promise<ChangedStates[]> {
  const there = await sql<
    Pick<BookmarkRow, "id" | "version" | "states_updated_at" | "not_before" | keyof BookmarkStates>
  >`
    select id, version, unread, archived, shared, states_updated_at, not_before from bookmarks where id in ${ids}`;
  const changed = there.flatMap((row) => {
    const before = statesOf(row);
    if (isSame(before, { ...before, ...changes })) return [];
    return [
      {
        ...{ id: Number(row.id), version: Number(row.version), before },
        statesUpdatedAt: row.states_updated_at === null ? null : new Date(row.states_updated_at),
        notBefore: row.not_before === null ? null : new Date(row.not_before),
      },
    ];
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
}

/** Overwrites states, at `now`. The caller counts the change. @param marked existing bookmarks, at least one */
export async function storeStates(sql: Sql, marked: readonly MarkedBookmark[], now: Date): Promise<void> {
  const values = marked.map(
    ({ id, states: { unread, archived, shared } }) => fragment`
      (cast(${id} as bigint), cast(${unread} as boolean), cast(${archived} as boolean), cast(${shared} as boolean))`,
  );
  await sql`
    with marked (id, unread, archived, shared) as (values ${joined(values, fragment`, `)})
    update bookmarks set unread = marked.unread, archived = marked.archived, shared = marked.shared,
      states_updated_at = ${now}
    from marked where bookmarks.id = marked.id`;
}

function isSame(one: BookmarkStates, other: BookmarkStates): boolean {
  return one.unread === other.unread && one.archived === other.archived && one.shared === other.shared;
}

/** linkding's mark for archived bookmarks, which is not a tag of the user. */
export const ARCHIVED_TAG = "linkding:bookmarks.archived";

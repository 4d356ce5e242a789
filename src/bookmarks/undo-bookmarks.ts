import { inBatches } from "../batches.ts";
import { addChangeRows, type Change, type ChangeRow, startChange } from "../changes/change-store.ts";
import type { KeptRecord, Reverted, Undoer, Undone } from "../changes/undo.ts";
import type { Sql } from "../database/database.ts";
import { fragment, joined } from "../database/fragment.ts";
import { type BookmarkStates, hasAnyState } from "../records/bookmark-members.ts";
import type { Bookmark } from "./bookmark.ts";
import { statesOf } from "./bookmark-row.ts";
import { type ChangedStates, storeStates } from "./bookmark-states.ts";
import { countChange, findBookmarks, holdBookmarks } from "./bookmark-store.ts";
import { type BookmarkFields, type BookmarkVersion, changeBookmarks } from "./bookmark-writer.ts";
import type { MergedParts } from "./parts-of-bookmarks.ts";
import { type RecordedTagRow, restoreTagRows } from "./tags/tag-rows.ts";

/** What becomes another form in the record of a removal; all other members are in it as they are. */
type Reshaped = "id" | "version" | "updatedAt" | "createdAt" | "createdBy" | "statesUpdatedAt" | "notBefore";

/** All members of a deleted bookmark that are not its id and version; of a column that came later, an old record has none. */
export interface DeletedContents extends Omit<Bookmark, Reshaped | keyof BookmarkStates> {
  readonly created_at: string;
  readonly created_by: number | null;
  readonly states: BookmarkStates;
  /** Null if no state was ever set; absent from records of earlier versions. */
  readonly states_updated_at?: string | null;
  readonly not_before?: string | null;
  /** What a merge has moved to the bookmark that stays. */
  readonly merged?: MergedParts;
}

/** What a change of tags names besides: rows of `tags` that it changed or deleted, as they were before. */
interface TagDetails {
  readonly tags?: readonly RecordedTagRow[];
}

/** What changes of a bookmark without its version changing. */
type Unversioned = Pick<Bookmark, "statesUpdatedAt" | "notBefore">;

/** {@link Unversioned} in the row of a change by an agent. */
export function stampOf({ statesUpdatedAt, notBefore }: Unversioned): string {
  return `${statesUpdatedAt?.getTime() ?? ""}/${notBefore?.getTime() ?? ""}`;
}

/** The row of an added bookmark. */
export function addRow(bookmark: Bookmark): ChangeRow {
  const { id, version } = bookmark;
  return { record: "bookmark", id, outcome: "added", version, before: {}, stamp: stampOf(bookmark) };
}

/** The row of an updated bookmark in the record of the change. @param byAgent with the bookmark as it was read */
export function updateRow(
  before: BookmarkVersion & BookmarkFields,
  after: Partial<BookmarkFields>,
  byAgent?: Unversioned,
): ChangeRow<Partial<BookmarkFields>> {
  return {
    record: "bookmark",
    id: before.id,
    outcome: "updated",
    version: before.version + 1,
    ...(byAgent && { stamp: stampOf(byAgent) }),
    before: {
      ...(after.title !== undefined && { title: before.title }),
      ...(after.url !== undefined && { url: before.url }),
      ...(after.description !== undefined && { description: before.description }),
    },
  };
}

/** What a change of states replaced. */
interface StatesBefore {
  readonly states: Partial<BookmarkStates>;
  /** Of a change by an agent: the stamp before it. */
  readonly stamp?: string;
}

/**
 * The row of a bookmark whose states were changed.
 * @param changes the states that the change set
 * @param byAgent when an agent did it, the time of the change
 */
export function statesRow(
  changed: ChangedStates,
  changes: Partial<BookmarkStates>,
  byAgent?: Date,
): ChangeRow<StatesBefore> {
  const { id, version, before } = changed;
  const states = Object.fromEntries(
    Object.entries(before).filter(([state, was]) => (changes[state as keyof BookmarkStates] ?? was) !== was),
  );
  const row = { record: "bookmark", id, outcome: "updated", version, before: { states } } as const;
  if (byAgent === undefined) return row;
  const stamp = stampOf({ ...changed, statesUpdatedAt: byAgent });
  return { ...row, before: { states, stamp: stampOf(changed) }, stamp };
}

/** The row of a deleted bookmark. @param merged if it became a part of another one */
export function deleteRow(bookmark: Bookmark, merged?: MergedParts): ChangeRow<DeletedContents> {
  const { id, version, createdAt, updatedAt: _, createdBy, statesUpdatedAt, notBefore, ...same } = bookmark;
  const { unread, archived, shared, ...contents } = same;
  const before = {
    ...contents,
    created_at: createdAt.toISOString(),
    created_by: createdBy,
    states: { unread, archived, shared },
    states_updated_at: statesUpdatedAt?.toISOString() ?? null,
    not_before: notBefore?.toISOString() ?? null,
    ...(merged && { merged }),
  };
  return { record: "bookmark", id, outcome: "deleted", version, before };
}

/** Former contents come back as new versions, deleted bookmarks under their own ids. */
export const bookmarkUndoer: Undoer = { revert, preview, finish };

function revert(sql: Sql, rows: readonly ChangeRow[], _: Pick<Change, "id">, now: Date): Promise<Reverted> {
  return changeBookmarks(sql, now, async (writer) => {
    // Else a mark that is made between the look for marks and the removal would go along.
    await holdBookmarks(sql, addedIn(rows));
    const there = await standingOf(sql, rows);
    const unchanged = rows.filter((row) => isUnchanged(row, there.get(row.id)));
    const present = unchanged.flatMap((row) => {
      const bookmark = there.get(row.id);
      return bookmark === undefined ? [] : [{ row, bookmark, states: statesBefore(row) }];
    });
    const reverts = present.flatMap(({ row, bookmark, states }) =>
      row.outcome !== "updated" || states !== undefined
        ? []
        : [{ ...bookmark, ...(row.before as Partial<BookmarkFields>) }],
    );
    const stateReverts = present.flatMap(({ row, bookmark, states }) =>
      states === undefined
        ? []
        : [{ id: row.id, states: { ...statesOf(bookmark), ...states }, row, bookmark }],
    );
    const removals = present.flatMap(({ row, bookmark }) => (row.outcome === "added" ? [bookmark] : []));
    const restores = unchanged.flatMap((row) => (row.outcome === "deleted" ? [toRestored(row, now)] : []));
    const reverted = await writer.updateMany(reverts);
    const removed = await writer.deleteMany(removals);
    await writer.placeMany(restores, restores.length);
    if (stateReverts.length > 0) {
      await storeStates(sql, stateReverts, now);
      await countChange(sql, stateReverts.length, 0);
      await moveStamps(sql, stateReverts, now);
    }
    await keepRemoved(
      sql,
      removals.filter(({ id }) => removed.has(id)),
      now,
    );
    await moveRecordedVersions(
      sql,
      reverts.filter(({ id }) => reverted.has(id)),
      2,
    );
    await moveRecordedVersions(sql, restores, 1);
    const done = new Set([...reverted, ...removed, ...[...restores, ...stateReverts].map(({ id }) => id)]);
    const others = rows.filter(({ id }) => !done.has(id));
    const { kept, gone } = leftOf(others, there);
    const left = new Set(kept.map(({ id }) => id));
    const standing = others.filter(({ outcome }) => outcome !== "deleted");
    return {
      ...{ changed: done.size, kept, gone },
      left: standing.filter(({ id }) => left.has(id)),
      missing: standing.filter(({ id }) => !left.has(id)),
    };
  });
}

async function preview(read: Sql, rows: readonly ChangeRow[]): Promise<Undone> {
  const there = await standingOf(read, rows);
  const others = rows.filter((row) => !isUnchanged(row, there.get(row.id)));
  return { changed: rows.length - others.length, ...leftOf(others, there) };
}

/** Those that are not undone: the bookmarks that are there, and the ids of the others. */
function leftOf(rows: readonly ChangeRow[], there: ReadonlyMap<number, Present>) {
  const kept = rows.flatMap(({ id }) => nameOf(there.get(id)));
  const names = new Set(kept.map(({ id }) => id));
  return { kept, gone: rows.filter(({ id }) => !names.has(id)).map(({ id }) => id) };
}

/** A bookmark, and whether more than a title, a note and states are there for somebody. */
interface Present extends Bookmark {
  readonly isUsed: boolean;
}

/** The bookmarks of the rows; of added ones also whether somebody reads or marks them, has sent their page, or merged others into them. */
async function standingOf(sql: Sql, rows: readonly ChangeRow[]): Promise<Map<number, Present>> {
  const there = await findBookmarks(
    sql,
    rows.map(({ id }) => id),
  );
  const added = addedIn(rows);
  // A merge changes nothing of a bookmark that has all tags and texts already; its details begin with the one that is kept.
  const uses =
    added.length === 0
      ? []
      : await sql<{ bookmark_id: number }>`
          select bookmark_id from marks where bookmark_id in ${added}
          union select bookmark_id from reading where bookmark_id in ${added}
          union select bookmark_id from copies where bookmark_id in ${added} and origin <> 'fetched'
          union select b.id from bookmarks b join changes c
            on c.created_at >= b.created_at and c.details like '{"keep":' || b.id || ',%'
            where b.id in ${added} and c.kind = 'merge' and c.undone_at is null`;
  const used = new Set(uses.map((row) => Number(row.bookmark_id)));
  return new Map([...there].map(([id, bookmark]) => [id, { ...bookmark, isUsed: used.has(id) }]));
}

function addedIn(rows: readonly ChangeRow[]): number[] {
  return rows.flatMap(({ id, outcome }) => (outcome === "added" ? [id] : []));
}

/** Records added bookmarks that an undo took back as removed ones: that, too, can be undone. */
async function keepRemoved(sql: Sql, bookmarks: readonly Bookmark[], now: Date): Promise<void> {
  if (bookmarks.length === 0) return;
  const details = { bookmarks: bookmarks.length };
  const change = { record: "bookmark", kind: "remove", details, accountId: undefined } as const;
  await addChangeRows(
    sql,
    (await startChange(sql, change, now)).id,
    bookmarks.map((bookmark) => deleteRow(bookmark)),
  );
}

async function finish(sql: Sql, { details }: Change): Promise<void> {
  await restoreTagRows(sql, (details as TagDetails).tags ?? []);
}

/**
 * Whether nobody has changed since what the change did. To what an agent changed, nobody may have done anything else; of others,
 * states count by themselves: they are not part of the version.
 */
function isUnchanged(row: ChangeRow, bookmark: Present | undefined): boolean {
  if (row.outcome === "deleted") return bookmark === undefined;
  if (bookmark === undefined) return false;
  if (row.stamp != null)
    return bookmark.version === row.version && stampOf(bookmark) === row.stamp && !bookmark.isUsed;
  const before = statesBefore(row);
  if (before === undefined) return bookmark.version === row.version;
  return Object.entries(before).every(([state, was]) => bookmark[state as keyof BookmarkStates] !== was);
}

/** The states that a change replaced; undefined when it was none of states. */
function statesBefore({ outcome, before }: ChangeRow): Partial<BookmarkStates> | undefined {
  return outcome === "updated" ? (before as Partial<StatesBefore>).states : undefined;
}

/** A deleted bookmark in the version after its last, so that no earlier entity tag becomes valid again. */
function toRestored({ id, version, before }: ChangeRow, now: Date): Bookmark {
  const { created_at, created_by, states, states_updated_at, not_before, merged, ...contents } =
    before as DeletedContents;
  const unknown = hasAnyState(states) ? now : null;
  return {
    ...{ ...contents, id, ...states, version: version + 1 },
    ...{ createdAt: new Date(created_at), updatedAt: now, createdBy: created_by },
    statesUpdatedAt: states_updated_at == null ? unknown : new Date(states_updated_at),
    notBefore: not_before == null ? null : new Date(not_before),
  };
}

function nameOf(bookmark: Present | undefined): KeptRecord[] {
  if (bookmark === undefined) return [];
  const { id, title, url, isUsed } = bookmark;
  return [{ id, title, url, ...(isUsed && { why: "used" }) }];
}

const ROWS_AT_ONCE = 500;

/**
 * Imports and undoable changes record the version in which they left a record, such as a bookmark. Reverting a later change creates a
 * new version with the contents of an earlier one, so the records of the earlier version are moved to the new one:
 * then these changes can be undone, too.
 *
 * @param reverted the versions that the reverted change had made; of a restored record the one after its last
 * @param by how many versions later the former contents are stored now
 */
export async function moveRecordedVersions(
  sql: Sql,
  reverted: readonly BookmarkVersion[],
  by: 1 | 2,
  kind = "bookmark",
): Promise<void> {
  for (const batch of inBatches(reverted, ROWS_AT_ONCE)) {
    const values = joined(
      batch.map(({ id, version }) => fragment`(cast(${id} as bigint), cast(${version} as bigint))`),
      fragment`, `,
    );
    await sql`
      with reverted (id, version) as (values ${values})
      update import_rows set record_version = record_version + ${by} from reverted
      where kind = ${kind} and record_id = reverted.id and record_version < reverted.version
        and outcome in ('added', 'updated')`;
    await sql`
      with reverted (id, version) as (values ${values})
      update change_rows set version = change_rows.version + ${by} from reverted
      where record = ${kind} and record_id = reverted.id and change_rows.version < reverted.version
        and outcome in ('added', 'updated')`;
  }
}

/** States put back have a new date, so the earlier changes by agents get the stamp that it makes: they can be undone, too. */
async function moveStamps(
  sql: Sql,
  reverted: readonly { readonly row: ChangeRow; readonly bookmark: Bookmark }[],
  now: Date,
): Promise<void> {
  for (const { row, bookmark } of reverted) {
    const { stamp } = row.before as StatesBefore;
    if (stamp !== undefined)
      await sql`
        update change_rows set stamp = ${stampOf({ ...bookmark, statesUpdatedAt: now })}
        where record = 'bookmark' and record_id = ${row.id} and stamp = ${stamp}`;
  }
}

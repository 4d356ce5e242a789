import { inBatches } from "../batches.ts";
import type { Change, ChangeRow } from "../changes/change-store.ts";
import type { KeptRecord, Reverted, Undoer, Undone } from "../changes/undo.ts";
import type { Sql } from "../database/database.ts";
import { fragment, joined } from "../database/fragment.ts";
import { type BookmarkStates, hasAnyState } from "../records/bookmark-members.ts";
import type { Bookmark } from "./bookmark.ts";
import { type ChangedStates, statesOf, storeStates } from "./bookmark-states.ts";
import { countChange, findBookmarks } from "./bookmark-store.ts";
import { type BookmarkFields, type BookmarkVersion, changeBookmarks } from "./bookmark-writer.ts";
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
}

/** What a change of tags names besides: rows of `tags` that it changed or deleted, as they were before. */
interface TagDetails {
  readonly tags?: readonly RecordedTagRow[];
}

/** The row of an updated bookmark in the record of the change. */
export function updateRow(
  before: BookmarkVersion & BookmarkFields,
  after: Partial<BookmarkFields>,
): ChangeRow<Partial<BookmarkFields>> {
  return {
    record: "bookmark",
    id: before.id,
    outcome: "updated",
    version: before.version + 1,
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
}

/** The row of a bookmark whose states were changed. @param changes the states that the change set */
export function statesRow(
  { id, version, before }: ChangedStates,
  changes: Partial<BookmarkStates>,
): ChangeRow<StatesBefore> {
  const states = Object.fromEntries(
    Object.entries(before).filter(([state, was]) => (changes[state as keyof BookmarkStates] ?? was) !== was),
  );
  return { record: "bookmark", id, outcome: "updated", version, before: { states } };
}

/** The row of a deleted bookmark. */
export function deleteRow(bookmark: Bookmark): ChangeRow<DeletedContents> {
  const { id, version, createdAt, updatedAt: _, createdBy, statesUpdatedAt, notBefore, ...same } = bookmark;
  const { unread, archived, shared, ...contents } = same;
  const before = {
    ...contents,
    created_at: createdAt.toISOString(),
    created_by: createdBy,
    states: { unread, archived, shared },
    states_updated_at: statesUpdatedAt?.toISOString() ?? null,
    not_before: notBefore?.toISOString() ?? null,
  };
  return { record: "bookmark", id, outcome: "deleted", version, before };
}

/** Former contents come back as new versions, deleted bookmarks under their own ids. */
export const bookmarkUndoer: Undoer = { revert, preview, finish };

function revert(sql: Sql, rows: readonly ChangeRow[], _: Pick<Change, "id">, now: Date): Promise<Reverted> {
  return changeBookmarks(sql, now, async (writer) => {
    const there = await findBookmarks(sql, idsOf(rows));
    const reverts = rows.flatMap((row) => {
      const bookmark = there.get(row.id);
      if (row.outcome !== "updated" || bookmark === undefined || !isUnchanged(row, bookmark)) return [];
      return statesBefore(row) !== undefined
        ? []
        : [{ ...bookmark, ...(row.before as Partial<BookmarkFields>) }];
    });
    const stateReverts = rows.flatMap((row) => {
      const bookmark = there.get(row.id);
      const before = statesBefore(row);
      if (before === undefined || bookmark === undefined || !isUnchanged(row, bookmark)) return [];
      return [{ id: row.id, states: { ...statesOf(bookmark), ...before } }];
    });
    const restores = rows.flatMap((row) =>
      row.outcome === "deleted" && !there.has(row.id) ? [toRestored(row, now)] : [],
    );
    const reverted = await writer.updateMany(reverts);
    await writer.placeMany(restores, restores.length);
    if (stateReverts.length > 0) {
      await storeStates(sql, stateReverts, now);
      await countChange(sql, stateReverts.length, 0);
    }
    await moveRecordedVersions(
      sql,
      reverts.filter(({ id }) => reverted.has(id)),
      2,
    );
    await moveRecordedVersions(sql, restores, 1);
    const done = new Set([...reverted, ...[...restores, ...stateReverts].map(({ id }) => id)]);
    const others = rows.filter(({ id }) => !done.has(id));
    const kept = others.flatMap(({ id }) => nameOf(there.get(id)));
    const names = new Set(kept.map(({ id }) => id));
    const updated = others.filter(({ outcome }) => outcome === "updated");
    return {
      ...{ changed: done.size, kept, gone: others.length - kept.length },
      left: updated.filter(({ id }) => names.has(id)),
      missing: updated.filter(({ id }) => !names.has(id)),
    };
  });
}

async function preview(read: Sql, rows: readonly ChangeRow[]): Promise<Undone> {
  const there = await findBookmarks(read, idsOf(rows));
  const others = rows.filter((row) => !isUnchanged(row, there.get(row.id)));
  const kept = others.flatMap(({ id }) => nameOf(there.get(id)));
  return { changed: rows.length - others.length, kept, gone: others.length - kept.length };
}

async function finish(sql: Sql, { details }: Change): Promise<void> {
  await restoreTagRows(sql, (details as TagDetails).tags ?? []);
}

function idsOf(rows: readonly ChangeRow[]): number[] {
  return rows.map(({ id }) => id);
}

/** Whether nobody has changed since what the change did. States count by themselves: they are not part of the version. */
function isUnchanged(row: ChangeRow, bookmark: Bookmark | undefined): boolean {
  if (row.outcome === "deleted") return bookmark === undefined;
  const before = statesBefore(row);
  if (before === undefined || bookmark === undefined) return bookmark?.version === row.version;
  return Object.entries(before).every(([state, was]) => bookmark[state as keyof BookmarkStates] !== was);
}

/** The states that a change replaced; undefined when it was none of states. */
function statesBefore({ outcome, before }: ChangeRow): Partial<BookmarkStates> | undefined {
  return outcome === "updated" ? (before as Partial<StatesBefore>).states : undefined;
}

/** A deleted bookmark in the version after its last, so that no earlier entity tag becomes valid again. */
function toRestored({ id, version, before }: ChangeRow, now: Date): Bookmark {
  const { created_at, created_by, states, states_updated_at, not_before, ...contents } =
    before as DeletedContents;
  const unknown = hasAnyState(states) ? now : null;
  return {
    ...{ ...contents, id, ...states, version: version + 1 },
    ...{ createdAt: new Date(created_at), updatedAt: now, createdBy: created_by },
    statesUpdatedAt: states_updated_at == null ? unknown : new Date(states_updated_at),
    notBefore: not_before == null ? null : new Date(not_before),
  };
}

function nameOf(bookmark: Bookmark | undefined): KeptRecord[] {
  if (bookmark === undefined) return [];
  const { id, title, url } = bookmark;
  return [{ id, title, url }];
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
        and outcome = 'updated'`;
  }
}

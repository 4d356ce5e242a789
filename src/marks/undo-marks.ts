import { findBookmarks, holdBookmarks } from "../bookmarks/bookmark-store.ts";
import { moveRecordedVersions } from "../bookmarks/undo-bookmarks.ts";
import { addChangeRows, type ChangeRow, startChange } from "../changes/change-store.ts";
import type { KeptRecord, Reverted, Undoer } from "../changes/undo.ts";
import type { Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import { limits } from "../limits.ts";
import { truncateAtWord } from "../web/truncate.ts";
import type { Mark, Quote } from "./mark.ts";
import { MARKED_BOOKMARK, marksChanged } from "./mark-changes.ts";
import { deleteMarks, findMarks, placeMarks, storeNote } from "./mark-store.ts";

/** The characters of a quote by which a change names its mark. */
const NAMED_MAX = 40;

/** A removed mark in the record of its removal. */
export interface RemovedMark extends Quote {
  readonly bookmark: number;
  readonly note: string;
  readonly created_at: string;
  readonly created_by: number | null;
}

/** Removes a held mark; it can be restored for 30 days. @returns the key that undoes it */
export async function removeMark(
  sql: Sql,
  mark: Mark,
  accountId: number | undefined,
  now: Date,
): Promise<string> {
  const { id, version, bookmarkId, quote, prefix, suffix, position, note, createdAt, createdBy } = mark;
  await deleteMarks(sql, fragment`id = ${id}`);
  const before: RemovedMark = {
    ...{ bookmark: bookmarkId, quote, prefix, suffix, position, note },
    ...{ created_at: createdAt.toISOString(), created_by: createdBy },
  };
  return recorded(sql, "remove", mark, { outcome: "deleted", version, before }, accountId, now);
}

/**
 * Changes the note of a held mark; the former one can be restored for 30 days.
 * @returns the key that undoes it; null when the note is as it was
 */
export async function changeNote(
  sql: Sql,
  mark: Mark,
  note: string,
  accountId: number | undefined,
  now: Date,
): Promise<string | null> {
  if (note === mark.note) return null;
  const { version } = await storeNote(sql, mark, note, now);
  const before = { note: mark.note };
  return recorded(sql, "update", mark, { outcome: "updated", version, before }, accountId, now);
}

async function recorded(
  sql: Sql,
  kind: "remove" | "update",
  { id, bookmarkId, quote }: Mark,
  done: Pick<ChangeRow, "outcome" | "version" | "before">,
  accountId: number | undefined,
  now: Date,
): Promise<string> {
  const details = { bookmark: bookmarkId, quote: truncateAtWord(quote, NAMED_MAX) };
  const change = await startChange(sql, { record: "mark", kind, details, accountId }, now);
  await addChangeRows(sql, change.id, [
    { record: "mark", id, ...done },
    { record: MARKED_BOOKMARK, id: bookmarkId, outcome: "updated", version: 1, before: {} },
  ]);
  await marksChanged(sql, [bookmarkId]);
  return change.key;
}

/** Former notes come back as new versions, removed marks under their own ids, unless their bookmark is gone. */
export const markUndoer: Undoer = {
  async revert(sql, rows, change, now) {
    const { bookmarks } = await presentOf(sql, rows);
    // Nobody else changes their marks meanwhile, as with `heldMark`.
    await holdBookmarks(sql, [...bookmarks.keys()]);
    const planned = await plan(sql, rows);
    if (planned.changed === 0) return planned;
    await sql`delete from change_rows where change_id = ${change.id} and record = ${MARKED_BOOKMARK}`;
    return apply(sql, planned, now);
  },
  preview: plan,
};

/** The marks of the rows that are there, and the bookmarks of all of them as far as these are. */
async function presentOf(sql: Sql, rows: readonly ChangeRow[]) {
  const marks = await findMarks(
    sql,
    rows.map(({ id }) => id),
  );
  const ofRemoved = rows.flatMap(({ outcome, before }) =>
    outcome === "deleted" ? [(before as RemovedMark).bookmark] : [],
  );
  const ids = new Set([...[...marks.values()].map(({ bookmarkId }) => bookmarkId), ...ofRemoved]);
  return { marks, bookmarks: await findBookmarks(sql, [...ids]) };
}

interface Plan extends Reverted {
  /** Marks as they are, with the notes that come back. */
  readonly updated: readonly (readonly [mark: Mark, note: string])[];
  readonly restored: readonly ChangeRow<RemovedMark>[];
}

async function plan(sql: Sql, rows: readonly ChangeRow[]): Promise<Plan> {
  const { marks, bookmarks } = await presentOf(sql, rows);
  const room = await roomOf(sql, [...bookmarks.keys()]);
  const updated: Plan["updated"][number][] = [];
  const restored: ChangeRow<RemovedMark>[] = [];
  const kept: KeptRecord[] = [];
  const left: ChangeRow[] = [];
  const missing: ChangeRow[] = [];
  const gone: number[] = [];
  for (const row of rows) {
    const there = marks.get(row.id);
    const removed = row.outcome === "deleted" ? (row as ChangeRow<RemovedMark>) : undefined;
    const bookmarkId = removed?.before.bookmark ?? there?.bookmarkId;
    if (bookmarkId === undefined || !bookmarks.has(bookmarkId)) {
      gone.push(row.id);
      // It can be undone once its bookmark is back.
      (bookmarkId === undefined ? missing : left).push(row);
    } else if (removed === undefined && there?.version === row.version)
      updated.push([there, (row.before as Pick<Mark, "note">).note]);
    else if (removed !== undefined && there === undefined && takeRoom(room, bookmarkId))
      restored.push(removed);
    else {
      const { quote } = removed?.before ?? there ?? { quote: "" };
      kept.push({ id: row.id, title: quote, url: `/library/${bookmarkId}` });
      left.push(row);
    }
  }
  const changed = updated.length + restored.length;
  return { changed, kept, gone, left, missing, updated, restored };
}

/** How many marks these bookmarks still take. */
async function roomOf(sql: Sql, bookmarkIds: readonly number[]): Promise<Map<number, number>> {
  const { marksPerBookmark } = limits();
  const room = new Map(bookmarkIds.map((id) => [id, marksPerBookmark]));
  if (bookmarkIds.length === 0) return room;
  const rows = await sql<{ bookmark_id: number; n: number }>`
    select bookmark_id, count(*) as n from marks where bookmark_id in ${bookmarkIds} group by bookmark_id`;
  for (const { bookmark_id, n } of rows) room.set(Number(bookmark_id), marksPerBookmark - Number(n));
  return room;
}

function takeRoom(room: Map<number, number>, bookmarkId: number): boolean {
  const left = room.get(bookmarkId) ?? 0;
  if (left > 0) room.set(bookmarkId, left - 1);
  return left > 0;
}

async function apply(sql: Sql, planned: Plan, now: Date): Promise<Reverted> {
  const updated = planned.updated.map(([mark]) => mark);
  for (const [mark, note] of planned.updated) await storeNote(sql, mark, note, now);
  const restored = planned.restored.map((row) => toRestored(row, now));
  await placeMarks(sql, restored);
  await moveRecordedVersions(sql, updated, 2, "mark");
  await moveRecordedVersions(sql, restored, 1, "mark");
  const changed = new Set([...updated, ...restored].map(({ bookmarkId }) => bookmarkId));
  await marksChanged(sql, [...changed]);
  return planned;
}

/** A removed mark in the version after its last, so that no earlier entity tag becomes valid again. */
function toRestored({ id, version, before }: ChangeRow<RemovedMark>, now: Date): Mark {
  const { bookmark, created_at, created_by, ...same } = before;
  return {
    ...{ ...same, id, bookmarkId: bookmark, version: version + 1 },
    ...{ createdAt: new Date(created_at), updatedAt: now, createdBy: created_by },
  };
}

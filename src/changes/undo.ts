import { setImmediate } from "node:timers/promises";
import { pages } from "../batches.ts";
import type { Database, Sql } from "../database/database.ts";
import { Refusal } from "../errors.ts";
import {
  addChangeRows,
  type Change,
  type ChangeRow,
  changeRowsAfter,
  findChange,
  findRemoved,
  lockChange,
  markUndone,
  takeChangeRows,
} from "./change-store.ts";

/** How many records one transaction reverts, so that other writes never wait long. */
const BATCH = 500;

/** The result of an undo. */
export interface Undone {
  /** The number of restored records. */
  readonly changed: number;
  /** Records that have changed since, or have no room any more, and are left unchanged. */
  readonly kept: readonly KeptRecord[];
  /** The ids of changed records that are not there any more. */
  readonly gone: readonly number[];
}

export interface KeptRecord {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  /** By default `changed`. */
  readonly why?: KeptReason;
}

/** Why a record is left unchanged. */
export const KEPT_REASONS = ["changed", "used", "edited", "published", "gone"] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

/** A result, and what stays in the record of the change, to be undone later. */
export interface Reverted extends Undone {
  readonly left: readonly ChangeRow[];
  /** What was done to records that are gone: some may be removed for now. */
  readonly missing: readonly ChangeRow[];
}

/** How changes to one kind of records are undone: the other half of the writer that recorded them. */
export interface Undoer {
  /** Reverts what nobody has changed since, in the caller's transaction. The rows are in the order of their ids. */
  revert(sql: Sql, rows: readonly ChangeRow[], change: Pick<Change, "id">, now: Date): Promise<Reverted>;
  /** What {@link revert} would do now. */
  preview(read: Sql, rows: readonly ChangeRow[], change: Pick<Change, "id">): Promise<Undone>;
  /** What else is as before once a change, or a part of it, is undone. */
  finish?(sql: Sql, change: Change): Promise<void>;
}

/**
 * Undoes a change in batches of 500, each in a transaction of its own. An interrupted undo continues where it stopped.
 * What has changed since stays in the record: the change can be undone for it once its later changes are undone.
 *
 * @throws Refusal `conflict` if it was undone before, or is by another request at the same time
 */
export async function undoRows(
  database: Database,
  undoer: Undoer,
  change: Change,
  now: Date,
): Promise<Undone> {
  const undone = new Sum();
  let isDone = false;
  for await (const rows of batchesOf(database.read, change)) {
    const ids = rows.map(({ id }) => id);
    await database.write(async (sql) => {
      // Of several requests at once, the one that reverts the last rows marks the change, too.
      await lockChange(sql, change.id);
      undone.add(await revertTaken(sql, undoer, change, ids, now));
      isDone = (await markIfComplete(sql, undoer, change, now)) === "marked";
    });
  }
  if (isDone) return undone;
  await database.write(async (sql) => {
    await lockChange(sql, change.id);
    const outcome = await markIfComplete(sql, undoer, change, now);
    if (outcome === "of another" && !undone.hasRows) throw undoneAlready();
    if (outcome !== "marked" && undone.changed > 0) await undoer.finish?.(sql, change);
  });
  return undone;
}

/** Marks a locked change whose rows are all undone. Without its lock, one that still runs would be undone before its end. */
async function markIfComplete(
  sql: Sql,
  undoer: Undoer,
  change: Change,
  now: Date,
): Promise<"marked" | "of another" | "incomplete"> {
  if ((await changeRowsAfter(sql, change.id, change.record, 0, 1)).length > 0) return "incomplete";
  if (!(await markUndone(sql, change.id, now))) return "of another";
  await undoer.finish?.(sql, change);
  return "marked";
}

/** What {@link undoRows} would do now; changes nothing. */
export async function previewUndo(read: Sql, undoer: Undoer, change: Change): Promise<Undone> {
  const undone = new Sum();
  for await (const rows of batchesOf(read, change)) {
    undone.add(await undoer.preview(read, rows, change));
    await setImmediate();
  }
  return undone;
}

/**
 * Reverts those of the records that nobody has reverted yet, in the caller's transaction. What was done to a record that is
 * removed for now stays in the change, and can be undone once the record is restored; so does what an agent did to one that is
 * gone, since undoing names it each time.
 */
export async function revertTaken(
  sql: Sql,
  undoer: Undoer,
  change: Pick<Change, "id" | "record">,
  ids: readonly number[],
  now: Date,
): Promise<Undone> {
  const rows = await takeChangeRows(sql, change.id, change.record, ids);
  const { left, missing, ...undone } = await undoer.revert(sql, rows, change, now);
  const removed = await findRemoved(
    sql,
    change.record,
    missing.map(({ id }) => id),
    now,
  );
  const named = missing.filter(({ id, stamp }) => removed.has(id) || stamp != null);
  await addChangeRows(sql, change.id, [...left, ...named]);
  return undone;
}

/**
 * A change that can still be undone.
 * @throws Refusal `not_found` if there is none or it has expired; `conflict` if it was undone before
 */
export async function standingChange(sql: Sql, key: string, now: Date): Promise<Change> {
  const change = await findChange(sql, key, now);
  if (change === undefined) throw noSuchChange();
  if (change.undoneAt !== null) throw undoneAlready();
  return change;
}

/** The refusal of a change that does not exist, or has expired. */
export function noSuchChange(): Refusal {
  return new Refusal("not_found", "There is no such change to undo; changes can be undone for 30 days.");
}

/** The change was undone before. */
export function undoneAlready(): Refusal {
  return new Refusal("conflict", "This change was already undone.");
}

function batchesOf(read: Sql, { id, record }: Change): AsyncGenerator<readonly ChangeRow[]> {
  return pages<ChangeRow>((last) => changeRowsAfter(read, id, record, last?.id ?? 0, BATCH));
}

class Sum implements Undone {
  changed = 0;
  readonly kept: KeptRecord[] = [];
  readonly gone: number[] = [];

  /** Whether this request has taken any rows. */
  get hasRows(): boolean {
    return this.changed + this.kept.length + this.gone.length > 0;
  }

  add({ changed, kept, gone }: Undone): void {
    this.changed += changed;
    this.kept.push(...kept);
    this.gone.push(...gone);
  }
}

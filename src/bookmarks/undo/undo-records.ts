import { randomBytes } from "node:crypto";
import type { Instant, Sql } from "../../database/database.ts";
import { rowList } from "../../database/fragment.ts";
import type { BookmarkStates } from "../bookmark-states.ts";
import type { BookmarkFields } from "../bookmark-writer.ts";
import { inBatches } from "../bulk/batches.ts";
import { UNDO_PERIOD } from "../purge-undo-records.ts";
import type { RecordedTagRow } from "../tags/tag-rows.ts";

const ROWS_AT_ONCE = 100;

/** What a change was: the names in `kind` of the undo list. */
export type UndoKind = "rename_tag" | "delete_tag" | "bulk" | "merge" | "remove" | "update";

/** The requested change. */
export interface ChangeDetails {
  readonly [name: string]: unknown;
  /** Rows of `tags` that it changed or deleted, as they were before. */
  readonly tags?: readonly RecordedTagRow[];
}

/** A change to record. */
export interface ChangeDescription {
  readonly kind: UndoKind;
  readonly details: ChangeDetails;
  readonly accountId: number | undefined;
}

/** A recorded change, undone or not. */
export interface UndoRecord {
  readonly id: number;
  /** Random; part of the URL that undoes the change. */
  readonly key: string;
  readonly kind: UndoKind;
  readonly details: ChangeDetails;
  readonly createdAt: Date;
  readonly undoneAt: Date | null;
}

/** All members of a deleted bookmark that are not its id and version. */
export interface DeletedContents extends BookmarkFields {
  readonly created_at: string;
  readonly created_by: number | null;
  readonly states: BookmarkStates;
}

/** What a change did to a bookmark. */
export type UndoRow = { readonly bookmarkId: number } & (
  | {
      readonly outcome: "updated";
      /** The version that the change made. */
      readonly version: number;
      /** The previous values of the replaced members. */
      readonly before: Partial<BookmarkFields>;
    }
  | {
      readonly outcome: "deleted";
      /** The bookmark's last version. */
      readonly version: number;
      readonly before: DeletedContents;
    }
);

/** Begins the record of a change; its rows follow, in this transaction or in later ones. */
export async function startUndoRecord(
  sql: Sql,
  { kind, details, accountId }: ChangeDescription,
  now: Date,
): Promise<Pick<UndoRecord, "id" | "key">> {
  // Not base64url: a key that begins with a dash would be an option at the command line.
  const key = randomBytes(16).toString("hex");
  const [row] = await sql<{ id: number }>`
    insert into undo_records (key, kind, details, created_at, created_by)
    values (${key}, ${kind}, ${JSON.stringify(details)}, ${now}, ${accountId ?? null}) returning id`;
  if (row === undefined) throw new Error("an insert returned no row");
  return { id: Number(row.id), key };
}

/** Adds to a record what the change did. */
export async function addUndoRows(sql: Sql, undoRecordId: number, rows: readonly UndoRow[]): Promise<void> {
  for (const batch of inBatches(rows, ROWS_AT_ONCE)) {
    const values = batch.map(({ bookmarkId, outcome, version, before }) => [
      ...[undoRecordId, bookmarkId, outcome, version, JSON.stringify(before)],
    ]);
    await sql`
      insert into undo_rows (record_id, bookmark_id, outcome, version, before) values ${rowList(values)}`;
  }
}

interface RecordRow {
  readonly id: number;
  readonly key: string;
  readonly kind: string;
  readonly details: string;
  readonly created_at: Instant;
  readonly undone_at: Instant | null;
}

/** The record with this key, undone or not; undefined when there is none, or it has expired. */
export async function findUndoRecord(sql: Sql, key: string, now: Date): Promise<UndoRecord | undefined> {
  if (!/^[0-9a-f]{32}$/.test(key)) return undefined;
  const [row] = await sql<RecordRow>`
    select id, key, kind, details, created_at, undone_at from undo_records
    where key = ${key} and created_at > ${expiryBefore(now)}`;
  return row && toRecord(row);
}

/** The changes that can still be undone, newest first, each with its number of bookmarks. */
export async function listUndoRecords(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<(UndoRecord & { readonly bookmarks: number })[]> {
  const rows = await sql<RecordRow & { bookmarks: number }>`
    select id, key, kind, details, created_at, undone_at,
      (select count(*) from undo_rows where record_id = undo_records.id) as bookmarks
    from undo_records where undone_at is null and created_at > ${expiryBefore(now)}
    order by created_at desc, id desc limit ${limit}`;
  return rows.map((row) => ({ ...toRecord(row), bookmarks: Number(row.bookmarks) }));
}

/** A change that can still be undone, as one of its bookmarks sees it. */
export interface ChangeOfBookmark extends UndoRecord {
  /** The bookmark's version that the change made. */
  readonly version: number;
  /** The number of bookmarks that it changed. */
  readonly bookmarks: number;
}

/** The changes of a bookmark that can still be undone, newest first. */
export async function listChangesOf(
  sql: Sql,
  bookmarkId: number,
  now: Date,
  limit: number,
): Promise<ChangeOfBookmark[]> {
  const rows = await sql<RecordRow & Pick<ChangeOfBookmark, "version" | "bookmarks">>`
    select listed.*, (select count(*) from undo_rows where record_id = listed.id) as bookmarks
    from (
      select r.id, r.key, r.kind, r.details, r.created_at, r.undone_at, u.version
      from undo_rows u join undo_records r on r.id = u.record_id
      where u.bookmark_id = ${bookmarkId} and u.outcome = ${"updated"}
        and r.undone_at is null and r.created_at > ${expiryBefore(now)}
      order by r.created_at desc, r.id desc limit ${limit}) as listed
    order by created_at desc, id desc`;
  return rows.map((row) => ({
    ...toRecord(row),
    version: Number(row.version),
    bookmarks: Number(row.bookmarks),
  }));
}

/** The number of changes that can still be undone. */
export async function countUndoRecords(sql: Sql, now: Date): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from undo_records where undone_at is null and created_at > ${expiryBefore(now)}`;
  return Number(row?.n ?? 0);
}

/** Marks a change as undone; false if it is already undone, also by a concurrent transaction. */
export async function markUndone(sql: Sql, id: number, now: Date): Promise<boolean> {
  const rows = await sql`
    update undo_records set undone_at = ${now} where id = ${id} and undone_at is null returning id`;
  return rows.length > 0;
}

interface StoredRow {
  readonly bookmark_id: number;
  readonly outcome: string;
  readonly version: number;
  readonly before: string;
}

/** At most `limit` rows of a record after a bookmark's id, in the order of the ids. */
export async function undoRowsAfter(
  sql: Sql,
  undoRecordId: number,
  after: number,
  limit: number,
): Promise<UndoRow[]> {
  const rows = await sql<StoredRow>`
    select bookmark_id, outcome, version, before from undo_rows
    where record_id = ${undoRecordId} and bookmark_id > ${after} order by bookmark_id limit ${limit}`;
  return rows.map(toUndoRow);
}

export async function hasUndoRows(sql: Sql, undoRecordId: number): Promise<boolean> {
  const rows = await sql`select 1 from undo_rows where record_id = ${undoRecordId} limit 1`;
  return rows.length > 0;
}

/** Removes rows from a record, so that each is reverted once. @returns the rows that still existed */
export async function takeUndoRows(
  sql: Sql,
  undoRecordId: number,
  bookmarkIds: readonly number[],
): Promise<UndoRow[]> {
  const rows = await sql<StoredRow>`
    delete from undo_rows where record_id = ${undoRecordId} and bookmark_id in ${bookmarkIds}
    returning bookmark_id, outcome, version, before`;
  return rows.map(toUndoRow);
}

/** Records from before this time have expired. */
export function expiryBefore(now: Date): Date {
  return new Date(now.getTime() - UNDO_PERIOD);
}

function toRecord({ id, key, kind, details, created_at, undone_at }: RecordRow): UndoRecord {
  return {
    id: Number(id),
    key,
    kind: kind as UndoKind,
    details: JSON.parse(details),
    createdAt: new Date(created_at),
    undoneAt: undone_at === null ? null : new Date(undone_at),
  };
}

function toUndoRow({ bookmark_id, outcome, version, before }: StoredRow): UndoRow {
  return {
    bookmarkId: Number(bookmark_id),
    outcome,
    version: Number(version),
    before: JSON.parse(before),
  } as UndoRow;
}

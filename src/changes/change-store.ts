import { randomBytes } from "node:crypto";
import type { Instant, Sql } from "../database/database.ts";
import { type Fragment, fragment, joined, rowList } from "../database/fragment.ts";
import { Refusal } from "../errors.ts";

/** How long a change can be undone, in milliseconds; texts of pages, API and commands say "30 days". */
export const UNDO_PERIOD = 30 * 24 * 60 * 60 * 1000;

const ROWS_AT_ONCE = 100;

/** What was done, for those who list changes. */
export const CHANGE_KINDS = [
  ...["rename_tag", "delete_tag", "bulk", "merge", "remove", "update", "reject", "create"],
] as const satisfies string[];
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Who makes a change. */
export interface ChangeAuthor {
  readonly accountId: number | undefined;
  /** The token by which an agent makes it: the change keeps its id and its name. */
  readonly tokenId?: number | undefined;
}

/** A change to record. */
export interface ChangeDescription extends ChangeAuthor {
  /** The kind of the records that it is about (`nouns.ts`). */
  readonly record: string;
  readonly kind: ChangeKind;
  /** What was asked for. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A recorded change, undone or not. */
export interface Change extends Omit<ChangeDescription, keyof ChangeAuthor> {
  /** Numbered in the order in which changes begin. */
  readonly id: number;
  /** Random; part of the URL that undoes the change. */
  readonly key: string;
  readonly createdAt: Date;
  readonly undoneAt: Date | null;
  /** The name of the token by which an agent made it, for accounts; null if no agent did. */
  readonly agent: string | null;
}

/** A change to which rows can be added. */
export type StartedChange = Pick<Change, "id" | "key">;

/** What a change did to a record. A removed post has rows for its previous versions and its comments, too. */
export interface ChangeRow<Before = unknown> {
  readonly record: string;
  /** The record's id; of a version, its number. */
  readonly id: number;
  readonly outcome: "added" | "updated" | "deleted";
  /** The record's version after the change; of a deleted one, its last. */
  readonly version: number;
  /**
   * Of a change by an agent: what the version does not count, as it was after the change. Whatever somebody else does to the record
   * changes one of the two.
   */
  readonly stamp?: string | null;
  /** As JSON: the previous values of the members that the change replaced, or all of a deleted record. */
  readonly before: Before;
}

/**
 * Begins the record of a change; its rows follow, in this transaction or in later ones.
 * @throws Refusal `unauthenticated` when the agent's token has ended since its request began: its body may have taken its time
 */
export async function startChange(
  sql: Sql,
  { record, kind, details, accountId, tokenId }: ChangeDescription,
  now: Date,
): Promise<StartedChange> {
  const tokenName = tokenId === undefined ? null : await nameOfToken(sql, tokenId);
  // Not base64url: a key that begins with a dash would be an option at the command line.
  const key = randomBytes(16).toString("hex");
  const [row] = await sql<{ id: number }>`
    insert into changes (key, record, kind, details, created_at, created_by, token_id, token_name)
    values (${key}, ${record}, ${kind}, ${JSON.stringify(details)}, ${now}, ${accountId ?? null}, ${tokenId ?? null},
      ${tokenName}) returning id`;
  if (row === undefined) throw new Error("an insert returned no row");
  return { id: Number(row.id), key };
}

async function nameOfToken(sql: Sql, id: number): Promise<string> {
  const [token] = await sql<{ name: string }>`
    select t.name from tokens t join accounts a on a.id = t.account_id where t.id = ${id} and a.disabled_at is null`;
  if (token === undefined) throw new Refusal("unauthenticated", "The token is expired or revoked.");
  return token.name;
}

/**
 * Begins the record of a change, or continues one that an earlier transaction began. If what it had done by then was
 * undone meanwhile, the rest can be undone, too. The change is locked until the transaction ends.
 */
export async function continueChange(
  sql: Sql,
  started: StartedChange | undefined,
  description: ChangeDescription,
  now: Date,
): Promise<StartedChange> {
  if (started === undefined) return startChange(sql, description, now);
  await sql`update changes set undone_at = null where id = ${started.id}`;
  return started;
}

/** Adds to a change what it did to records. */
export async function addChangeRows(sql: Sql, changeId: number, rows: readonly ChangeRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const values = rows
      .slice(start, start + ROWS_AT_ONCE)
      .map(({ record, id, outcome, version, before, stamp }) => [
        ...[changeId, record, id, outcome, version, JSON.stringify(before), stamp ?? null],
      ]);
    await sql`
      insert into change_rows (change_id, record, record_id, outcome, version, before, stamp) values ${rowList(values)}`;
  }
}

interface StoredChange {
  readonly id: number;
  readonly key: string;
  readonly record: string;
  readonly kind: string;
  readonly details: string;
  readonly created_at: Instant;
  readonly undone_at: Instant | null;
  readonly token_name: string | null;
}

const COLUMNS = fragment`
  changes.id, changes.key, changes.record, changes.kind, changes.details, changes.created_at, changes.undone_at,
  changes.token_name`;

/** How many records a change is about that are not undone yet. */
const COUNT = fragment`
  (select count(*) from change_rows where change_id = changes.id and change_rows.record = changes.record) as records`;

/** The changes that can still be undone. */
export function standing(now: Date): Fragment {
  return fragment`changes.undone_at is null and changes.created_at > ${expiryBefore(now)}`;
}

/** The change with this key, undone or not; undefined when there is none, or it has expired. */
export async function findChange(sql: Sql, key: string, now: Date): Promise<Change | undefined> {
  if (!/^[0-9a-f]{32}$/.test(key)) return undefined;
  const [row] = await sql<StoredChange>`
    select ${COLUMNS} from changes where key = ${key} and created_at > ${expiryBefore(now)}`;
  return row && toChange(row);
}

/** A change, and how many records it is about. */
export interface CountedChange extends Change {
  readonly records: number;
}

/** The changes of these kinds of records that can still be undone, newest first. @param of at least one */
export function listChanges(
  sql: Sql,
  of: readonly string[],
  now: Date,
  limit: number,
): Promise<CountedChange[]> {
  return counted(
    sql,
    fragment`where ${standing(now)} and record in ${anyOf(of)} order by created_at desc, id desc limit ${limit}`,
  );
}

/** Those of some hundred changes that there still are, newest first. */
export async function readChanges(sql: Sql, ids: readonly number[]): Promise<CountedChange[]> {
  return ids.length === 0 ? [] : counted(sql, fragment`where id in ${ids} order by id desc`);
}

async function counted(sql: Sql, which: Fragment): Promise<CountedChange[]> {
  const rows = await sql<StoredChange & { records: number }>`
    select ${COLUMNS}, ${COUNT} from changes ${which}`;
  return rows.map((row) => ({ ...toChange(row), records: Number(row.records) }));
}

/** The number of such changes. */
export async function countChanges(sql: Sql, of: readonly string[], now: Date): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from changes where ${standing(now)} and record in ${anyOf(of)}`;
  return Number(row?.n ?? 0);
}

/** Kinds of records as a list in a statement. */
export function anyOf(records: readonly string[]): Fragment {
  const list = joined(
    records.map((record) => fragment`${record}`),
    fragment`, `,
  );
  return fragment`(${list})`;
}

/** A change that can still be undone, as one of its records sees it. */
export interface ChangeOfRecord extends CountedChange {
  /** The record's version that the change made. */
  readonly version: number;
}

/** The changes of a record that can still be undone, newest first, without that which deleted it. */
export async function listChangesOf(
  sql: Sql,
  record: string,
  id: number,
  now: Date,
  limit: number,
): Promise<ChangeOfRecord[]> {
  const rows = await sql<StoredChange & Pick<ChangeOfRecord, "version" | "records">>`
    select ${COLUMNS}, version, ${COUNT}
    from (
      select changes.*, r.version from change_rows r join changes on changes.id = r.change_id
      where r.record = ${record} and r.record_id = ${id} and r.outcome = ${"updated"} and ${standing(now)}
      order by changes.created_at desc, changes.id desc limit ${limit}) as changes
    order by created_at desc, id desc`;
  return rows.map((row) => ({
    ...toChange(row),
    version: Number(row.version),
    records: Number(row.records),
  }));
}

/** A token by which agents changed something that is not older than {@link UNDO_PERIOD}. */
export interface Changer {
  readonly tokenId: number;
  readonly tokenName: string;
}

/** The tokens of an account by which agents changed something, also those that are gone, newest first. */
export async function listChangers(sql: Sql, accountId: number, now: Date): Promise<Changer[]> {
  const rows = await sql<{ token_id: number; name: string | null }>`
    select token_id, max(token_name) as name from changes
    where token_id is not null and created_by = ${accountId} and created_at > ${expiryBefore(now)}
    group by token_id order by token_id desc`;
  return rows.map(({ token_id, name }) => ({ tokenId: Number(token_id), tokenName: name ?? "" }));
}

/** Locks a change until the transaction ends, so that no rows are added to it. */
export async function lockChange(sql: Sql, id: number): Promise<void> {
  await sql`update changes set undone_at = undone_at where id = ${id}`;
}

/** Marks a change as undone; false if it is already undone, also by a concurrent transaction. */
export async function markUndone(sql: Sql, id: number, now: Date): Promise<boolean> {
  const rows = await sql`
    update changes set undone_at = ${now} where id = ${id} and undone_at is null returning id`;
  return rows.length > 0;
}

interface StoredRow {
  readonly record: string;
  readonly record_id: number;
  readonly outcome: string;
  readonly version: number;
  readonly before: string;
  readonly stamp: string | null;
}

const ROW_COLUMNS = fragment`record, record_id, outcome, version, before, stamp`;

/** At most `limit` rows of a change after a record's id, in the order of the ids. */
export async function changeRowsAfter<Before = unknown>(
  sql: Sql,
  changeId: number,
  record: ChangeRow["record"],
  after: number,
  limit: number,
): Promise<ChangeRow<Before>[]> {
  const rows = await sql<StoredRow>`
    select ${ROW_COLUMNS} from change_rows
    where change_id = ${changeId} and record = ${record} and record_id > ${after} order by record_id limit ${limit}`;
  return rows.map((row) => toRow<Before>(row));
}

/** Removes rows from a change, so that each is reverted once. @returns the rows that still existed, by their ids */
export async function takeChangeRows(
  sql: Sql,
  changeId: number,
  record: string,
  ids: readonly number[],
): Promise<ChangeRow[]> {
  const rows = await sql<StoredRow>`
    delete from change_rows where change_id = ${changeId} and record = ${record} and record_id in ${ids}
    returning ${ROW_COLUMNS}`;
  return rows.map((row) => toRow(row)).toSorted((one, other) => one.id - other.id);
}

/** Those of the records that a change has removed which can still be undone. */
export async function findRemoved(
  sql: Sql,
  record: string,
  ids: readonly number[],
  now: Date,
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await sql<{ record_id: number }>`
    select record_id from change_rows join changes on changes.id = change_id
    where change_rows.record = ${record} and record_id in ${ids} and outcome = ${"deleted"} and ${standing(now)}`;
  return new Set(rows.map(({ record_id }) => Number(record_id)));
}

/** Deletes at most `limit` changes that can no longer be undone, their rows with them. @returns how many */
export async function purgeChanges(sql: Sql, now: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from changes where id in (
      select id from changes where created_at <= ${expiryBefore(now)} order by created_at limit ${limit}) returning id`;
  return rows.length;
}

/** Changes from before this time have expired. */
export function expiryBefore(now: Date): Date {
  return new Date(now.getTime() - UNDO_PERIOD);
}

function toChange(row: StoredChange): Change {
  const { id, key, record, kind, details, created_at, undone_at } = row;
  return {
    id: Number(id),
    key,
    record,
    kind: kind as ChangeKind,
    details: JSON.parse(details),
    createdAt: new Date(created_at),
    undoneAt: undone_at === null ? null : new Date(undone_at),
    agent: row.token_name,
  };
}

function toRow<Before>({ record, record_id, outcome, version, before, stamp }: StoredRow): ChangeRow<Before> {
  return {
    record,
    id: Number(record_id),
    outcome: outcome as ChangeRow["outcome"],
    version: Number(version),
    before: JSON.parse(before),
    stamp,
  };
}

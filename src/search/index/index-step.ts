import type { Sql } from "../../database/database.ts";
import { type Collection, INDEX_TABLES } from "../collection.ts";
import { documentOf, type IndexedRecord } from "../text/document.ts";
import { replaceInCatalog } from "./catalog.ts";
import { noteRebuilt, readState } from "./index-state.ts";
import type { IndexEntry, IndexStore } from "./index-store.ts";
import { inSlices } from "./slices.ts";

/** How many records one step indexes: tens of milliseconds of work at most, so that writes and reads have their turn; fewer at once make FTS5 merge more. */
const BATCH = 256;

interface Mark {
  readonly position: number;
  readonly record_id: number;
}

/** The result of a step. `busy`: another process is indexing. */
export type StepResult = "done" | "more" | "busy";

/**
 * Indexes some records of a collection as they are now: those that are marked, the oldest and the newest marks
 * first, so that what is written during an import does not wait for its end; then those that a rebuild has not
 * come to. A crash in between indexes them again.
 */
export async function indexStep(sql: Sql, store: IndexStore, collection: Collection): Promise<StepResult> {
  if (!(await store.claim(sql))) return "busy";
  const marks = await nextMarks(sql, collection);
  if (marks.length > 0) {
    await indexRecords(sql, store, collection, [...new Set(marks.map(({ record_id }) => Number(record_id)))]);
    await sql`delete from search_pending where position in ${marks.map(({ position }) => Number(position))}`;
    return "more";
  }
  const { rebuiltTo } = await readState(sql, collection.name);
  return rebuiltTo === undefined ? "done" : rebuildStep(sql, store, collection, rebuiltTo);
}

/**
 * Removes the entries and marks of records that were deleted, of the marks after a position; what is to be indexed
 * stays marked.
 *
 * @returns the position of the last mark that was looked at; undefined when there was none
 */
export async function removeDeleted(
  sql: Sql,
  store: IndexStore,
  collection: Collection,
  after: number,
): Promise<number | undefined> {
  const marks = await sql<Mark>`
    select position, record_id from search_pending where collection = ${collection.name} and position > ${after}
    order by position limit ${BATCH}`;
  if (marks.length === 0) return undefined;
  const ids = [...new Set(marks.map(({ record_id }) => Number(record_id)))];
  const there = new Set((await collection.records(sql, ids)).map(({ id }) => id));
  const deleted = ids.filter((id) => !there.has(id));
  if (deleted.length > 0) {
    await indexRecords(sql, store, collection, deleted);
    const settled = marks.filter(({ record_id }) => !there.has(Number(record_id)));
    await sql`delete from search_pending where position in ${settled.map(({ position }) => Number(position))}`;
  }
  return Number(marks.at(-1)?.position);
}

async function nextMarks(sql: Sql, { name }: Collection): Promise<Mark[]> {
  const oldest = await sql<Mark>`
    select position, record_id from search_pending where collection = ${name} order by position limit ${BATCH / 2}`;
  if (oldest.length < BATCH / 2) return oldest;
  const last = oldest.at(-1)?.position ?? 0;
  const newest = await sql<Mark>`
    select position, record_id from search_pending where collection = ${name} and position > ${last}
    order by position desc limit ${BATCH / 2}`;
  return [...oldest, ...newest];
}

async function rebuildStep(
  sql: Sql,
  store: IndexStore,
  collection: Collection,
  after: number,
): Promise<StepResult> {
  const ids = await collection.idsAfter(sql, after, BATCH);
  const last = ids.length < BATCH ? undefined : ids.at(-1);
  // Entries between these ids whose records have gone are removed with them.
  const orphans = await entriesBetween(sql, collection, after, last);
  const all = [...new Set([...ids, ...orphans])];
  if (all.length > 0) await indexRecords(sql, store, collection, all);
  await noteRebuilt(sql, collection.name, last);
  return last === undefined ? "done" : "more";
}

async function entriesBetween(
  sql: Sql,
  { name }: Collection,
  after: number,
  last: number | undefined,
): Promise<number[]> {
  const { entries } = INDEX_TABLES[name];
  const rows = await sql<{ id: number }>`
    select id from ${entries} where id > ${after} and id <= ${last ?? Number.MAX_SAFE_INTEGER}`;
  return rows.map(({ id }) => Number(id));
}

async function indexRecords(
  sql: Sql,
  store: IndexStore,
  collection: Collection,
  ids: readonly number[],
): Promise<void> {
  const tables = INDEX_TABLES[collection.name];
  const records = await collection.records(sql, ids);
  const known = await sql<{
    id: number;
    host: string;
  }>`select id, host from ${tables.entries} where id in ${ids}`;
  if (known.length > 0)
    await store.remove(
      sql,
      tables,
      known.map(({ id }) => Number(id)),
    );
  const waiting = new Set(await addRecords(sql, store, collection, records));
  await replaceInCatalog(
    sql,
    tables,
    ids,
    known.map(({ host }) => host),
    records.filter(({ id }) => !waiting.has(id)),
  );
  for (const id of waiting)
    await sql`insert into search_pending (collection, record_id) values (${collection.name}, ${id})`;
}

/** @returns the ids of those that have no entry yet */
async function addRecords(
  sql: Sql,
  store: IndexStore,
  collection: Collection,
  records: readonly IndexedRecord[],
): Promise<readonly number[]> {
  if (records.length === 0) return [];
  return store.add(sql, INDEX_TABLES[collection.name], await entriesOf(records), async (others) =>
    entriesOf(await collection.records(sql, others)),
  );
}

async function entriesOf(records: readonly IndexedRecord[]): Promise<IndexEntry[]> {
  const entries: IndexEntry[] = [];
  for await (const record of inSlices(records)) entries.push({ record, document: documentOf(record) });
  return entries;
}

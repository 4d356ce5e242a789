import { allEnded } from "../../awaitable.ts";
import type { Sql } from "../../database/database.ts";
import { type Collection, type CollectionName, INDEX_TABLES, type IndexTables } from "../collection.ts";
import { type IndexedRecord, indexedDocument } from "../text/document.ts";
import { replaceInCatalog } from "./catalog.ts";
import { beginRebuild, type Merging, noteMerging, noteRebuilt, readState } from "./index-state.ts";
import type { IndexEntry, IndexStore } from "./index-store.ts";
import { inSlices } from "./slices.ts";

/** How many records one step indexes: tens of milliseconds of work at most, so that writes and reads have their turn; fewer at once make FTS5 merge more. */
const BATCH = 256;

interface Mark {
  readonly position: number;
  readonly record_id: number;
}

/** The result of a step. `done`: everything that was written before it is indexed. `busy`: another process is indexing. */
export type StepResult = "done" | "more" | "busy";

/**
 * Indexes some records of a collection as they are now: those that are marked, the oldest and the newest marks
 * first, so that what is written during an import does not wait for its end; then those that a rebuild has not
 * come to. When nothing is left, it merges words of many records. A crash in between indexes them again. An index of another version begins to be rebuilt.
 *
 * @param all the names of the collections, which are rebuilt together
 */
export async function indexStep(
  sql: Sql,
  store: IndexStore,
  collection: Collection,
  all: readonly CollectionName[],
): Promise<StepResult> {
  // Sent together, since each answer of PostgreSQL takes its time. Each reads what is there once the index is locked.
  const [isClaimed, { isOfThisVersion, rebuiltTo, merging }, marks] = await allEnded([
    store.claim(sql),
    readState(sql, collection.name),
    nextMarks(sql, collection),
  ]);
  if (!isClaimed) return "busy";
  if (!isOfThisVersion) {
    await beginRebuild(sql, all);
    return rebuildStep(sql, store, collection, 0);
  }
  if (marks.length > 0) {
    const ids = [...new Set(marks.map(({ record_id }) => Number(record_id)))];
    const [, isWhole] = await allEnded([removeMarks(sql, marks), indexRecords(sql, store, collection, ids)]);
    if (marks.length >= BATCH && merging !== "due") await noteMerging(sql, collection.name, "due");
    return isWhole && marks.length < BATCH && rebuiltTo === undefined ? "done" : "more";
  }
  if (rebuiltTo !== undefined) return rebuildStep(sql, store, collection, rebuiltTo);
  if (merging !== undefined) await mergeStep(sql, store, collection, merging);
  return "done";
}

async function mergeStep(sql: Sql, store: IndexStore, { name }: Collection, merging: Merging): Promise<void> {
  const isMore = await store.merge(sql, INDEX_TABLES[name], merging);
  if (!isMore) await noteMerging(sql, name, undefined);
  else if (merging === "due") await noteMerging(sql, name, "begun");
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
    await removeMarks(
      sql,
      marks.filter(({ record_id }) => !there.has(Number(record_id))),
    );
  }
  return Number(marks.at(-1)?.position);
}

async function nextMarks(sql: Sql, { name }: Collection): Promise<Mark[]> {
  return sql<Mark>`
    select position, record_id from (select position, record_id from search_pending
      where collection = ${name} order by position limit ${BATCH / 2}) as oldest
    union
    select position, record_id from (select position, record_id from search_pending
      where collection = ${name} order by position desc limit ${BATCH / 2}) as newest`;
}

async function removeMarks(sql: Sql, marks: readonly Mark[]): Promise<void> {
  await sql`delete from search_pending where position in ${marks.map(({ position }) => Number(position))}`;
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
  if (last === undefined && after > 0) await noteMerging(sql, collection.name, "due");
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

/** @returns whether all have their entries now; the others are marked again */
async function indexRecords(
  sql: Sql,
  store: IndexStore,
  collection: Collection,
  ids: readonly number[],
): Promise<boolean> {
  const tables = INDEX_TABLES[collection.name];
  const [records, known] = await allEnded([collection.records(sql, ids), knownEntries(sql, tables, ids)]);
  const knownIds = known.map(({ id }) => Number(id));
  if (known.length > 0) await store.remove(sql, tables, knownIds);
  const waiting = new Set(await addRecords(sql, store, collection, records));
  await replaceInCatalog(
    sql,
    tables,
    knownIds,
    known.map(({ host }) => host),
    records.filter(({ id }) => !waiting.has(id)),
  );
  for (const id of waiting)
    await sql`insert into search_pending (collection, record_id) values (${collection.name}, ${id})`;
  return waiting.size === 0;
}

async function knownEntries(
  sql: Sql,
  { entries }: IndexTables,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly host: string }[]> {
  return sql`select id, host from ${entries} where id in ${ids}`;
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
  for await (const record of inSlices(records)) entries.push({ record, document: indexedDocument(record) });
  return entries;
}

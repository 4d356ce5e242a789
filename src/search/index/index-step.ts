import { allEnded } from "../../awaitable.ts";
import { posting, type Sql } from "../../database/database.ts";
import {
  type CollectionName,
  INDEX_TABLES,
  type IndexedCollection,
  type IndexTables,
} from "../collection.ts";
import type { IndexedRecord } from "../text/document.ts";
import { replaceInCatalog } from "./catalog.ts";
import { chooseCommonWords, RECORDS_MIN } from "./common-words.ts";
import {
  beginRebuild,
  type IndexState,
  type Merging,
  noteCommonWords,
  noteMerging,
  noteRebuilt,
  parseCommonWords,
  readState,
} from "./index-state.ts";
import type { IndexStore } from "./index-store.ts";
import { SMALL_STEP } from "./step-size.ts";

/** The maximum number of records that one statement reads. */
const READ_AT_ONCE = 256;
/** The maximum number of marks whose deleted records are removed at once. */
const REMOVED_AT_ONCE = 256;

interface Mark {
  readonly position: number;
  readonly record_id: number;
}

/**
 * The result of a step. `done`: everything written before the step is indexed. `busy`: another process is
 * indexing. `foreign`: the index belongs to processes of another version.
 */
export type StepResult = "done" | "more" | "busy" | "foreign";

export interface StepOptions {
  /** Whether this process may replace an index of that version. */
  readonly mayReplace?: (version: string | undefined) => boolean;
  /** How long to wait for another process that is indexing, in milliseconds. */
  readonly patience?: number;
  /** The maximum number of records to index. Smaller batches make FTS5 merge more often. */
  readonly size?: number;
}

/**
 * Indexes one batch of a collection's records, in their current state. Marked records come first, the oldest
 * and the newest marks together, so that records written during an import need not wait for its end. Then
 * follow the records of a rebuild, and last the merging of words. After a crash, the batch is indexed again.
 * If the index has another version that this process may replace, the step starts a rebuild.
 *
 * @param all the names of all collections, which are rebuilt together
 * @throws LockTimeout if another process indexes for longer than the patience
 */
export async function indexStep(
  sql: Sql,
  store: IndexStore,
  collection: IndexedCollection,
  all: readonly CollectionName[],
  { mayReplace = () => true, patience = 0, size = SMALL_STEP }: StepOptions = {},
): Promise<StepResult> {
  // Sent together to save round trips to PostgreSQL. The reads run after the index is locked.
  const [isClaimed, state, marks] = await allEnded([
    store.claim(sql, patience),
    readState(sql, collection.name),
    nextMarks(sql, collection, size),
  ]);
  if (!isClaimed) return "busy";
  const { version, isOfThisVersion, rebuiltTo, merging } = state;
  if (!isOfThisVersion) {
    if (!mayReplace(version)) return "foreign";
    await beginRebuild(sql, all);
    return rebuildStep(sql, store, collection, 0, size, undefined);
  }
  if (marks.length > 0) {
    const marked = [...new Set(marks.map(({ record_id }) => Number(record_id)))];
    const { ids, commonWords } = await withCommonWords(sql, store, collection, state, marked);
    const [, isWhole] = await allEnded([
      removeMarks(sql, marks),
      indexRecords(sql, store, collection, ids, commonWords),
    ]);
    if (marks.length >= size && merging !== "due") await noteMerging(sql, collection.name, "due");
    return isWhole && marks.length < size && rebuiltTo === undefined ? "done" : "more";
  }
  if (rebuiltTo !== undefined) return rebuildStep(sql, store, collection, rebuiltTo, size, state.commonWords);
  if (merging !== undefined) await mergeStep(sql, store, collection, merging);
  return "done";
}

/**
 * The records to index with the words whose pairs they get. If none were chosen yet, they are chosen as soon as there are
 * enough records, and all entries are replaced in the same step. They stay as they are until the next rebuild, so
 * that every entry has the same pairs. With more entries than one step can replace, that rebuild chooses them.
 */
async function withCommonWords(
  sql: Sql,
  store: IndexStore,
  collection: IndexedCollection,
  state: IndexState,
  marked: readonly number[],
): Promise<{ readonly ids: readonly number[]; readonly commonWords: ReadonlySet<string> }> {
  const unchanged = { ids: marked, commonWords: parseCommonWords(state.commonWords) };
  if (!store.hasPairs || state.commonWords !== undefined) return unchanged;
  const { entries } = INDEX_TABLES[collection.name];
  const rows = await sql<{ id: number }>`select id from ${entries} limit ${SMALL_STEP + 1}`;
  const ids = [...new Set([...marked, ...rows.map(({ id }) => Number(id))])];
  if (rows.length > SMALL_STEP || ids.length < RECORDS_MIN) return unchanged;
  const commonWords = await newCommonWords(sql, store, collection);
  return commonWords === undefined ? unchanged : { ids, commonWords };
}

/** Chooses the common words. Undefined if there are too few records. */
async function newCommonWords(
  sql: Sql,
  store: IndexStore,
  collection: IndexedCollection,
): Promise<ReadonlySet<string> | undefined> {
  const words = store.hasPairs ? await chooseCommonWords(sql, collection) : undefined;
  if (words === undefined) return undefined;
  await noteCommonWords(sql, collection.name, words);
  return new Set(words);
}

async function mergeStep(
  sql: Sql,
  store: IndexStore,
  { name }: IndexedCollection,
  merging: Merging,
): Promise<void> {
  const isMore = await store.merge(sql, INDEX_TABLES[name], merging);
  if (!isMore) await noteMerging(sql, name, undefined);
  else if (merging === "due") await noteMerging(sql, name, "begun");
}

/**
 * Removes the entries and marks of deleted records, for one batch of marks after a position. Other records
 * stay marked.
 *
 * @returns the position of the last mark in the batch; undefined if there was none
 */
export async function removeDeleted(
  sql: Sql,
  store: IndexStore,
  collection: IndexedCollection,
  after: number,
): Promise<number | undefined> {
  const marks = await sql<Mark>`
    select position, record_id from search_pending where collection = ${collection.name} and position > ${after}
    order by position limit ${REMOVED_AT_ONCE}`;
  if (marks.length === 0) return undefined;
  const ids = [...new Set(marks.map(({ record_id }) => Number(record_id)))];
  const there = new Set((await collection.records(sql, ids)).map(({ id }) => id));
  const deleted = ids.filter((id) => !there.has(id));
  if (deleted.length > 0) {
    // None is added, so their words do not matter.
    await indexRecords(sql, store, collection, deleted, new Set());
    await removeMarks(
      sql,
      marks.filter(({ record_id }) => !there.has(Number(record_id))),
    );
  }
  return Number(marks.at(-1)?.position);
}

async function nextMarks(sql: Sql, { name }: IndexedCollection, size: number): Promise<Mark[]> {
  return sql<Mark>`
    select position, record_id from (select position, record_id from search_pending
      where collection = ${name} order by position limit ${size / 2}) as oldest
    union
    select position, record_id from (select position, record_id from search_pending
      where collection = ${name} order by position desc limit ${size / 2}) as newest`;
}

async function removeMarks(sql: Sql, marks: readonly Mark[]): Promise<void> {
  await posting(
    sql,
  )`delete from search_pending where position in ${marks.map(({ position }) => Number(position))}`;
}

/** @param list the list of common words that an earlier step of the rebuild chose */
async function rebuildStep(
  sql: Sql,
  store: IndexStore,
  collection: IndexedCollection,
  after: number,
  size: number,
  list: string | undefined,
): Promise<StepResult> {
  const ids = await collection.idsAfter(sql, after, size);
  const last = ids.length < size ? undefined : ids.at(-1);
  // Also removes entries in this id range whose records no longer exist.
  const orphans = await entriesBetween(sql, collection, after, last);
  const all = [...new Set([...ids, ...orphans])];
  const chosen = after === 0 ? await newCommonWords(sql, store, collection) : undefined;
  if (all.length > 0) await indexRecords(sql, store, collection, all, chosen ?? parseCommonWords(list));
  await noteRebuilt(sql, collection.name, last);
  if (last === undefined && after > 0) await noteMerging(sql, collection.name, "due");
  return last === undefined ? "done" : "more";
}

async function entriesBetween(
  sql: Sql,
  { name }: IndexedCollection,
  after: number,
  last: number | undefined,
): Promise<number[]> {
  const { entries } = INDEX_TABLES[name];
  const rows = await sql<{ id: number }>`
    select id from ${entries} where id > ${after} and id <= ${last ?? Number.MAX_SAFE_INTEGER}`;
  return rows.map(({ id }) => Number(id));
}

/** @returns whether all records now have their entries; the others are marked again */
async function indexRecords(
  sql: Sql,
  store: IndexStore,
  collection: IndexedCollection,
  ids: readonly number[],
  commonWords: ReadonlySet<string>,
): Promise<boolean> {
  const tables = INDEX_TABLES[collection.name];
  const [records, known] = await allEnded([
    readRecords(sql, collection, ids),
    knownEntries(sql, tables, ids),
  ]);
  const knownIds = known.map(({ id }) => Number(id));
  if (known.length > 0) await store.remove(sql, tables, knownIds);
  const hosts = known.map(({ host }) => host);
  const catalog = (added: readonly IndexedRecord[]) => replaceInCatalog(sql, tables, knownIds, hosts, added);
  if (store.addsAll) {
    // The catalog first: PostgreSQL writes it while the records are split into words.
    await allEnded([catalog(records), addRecords(sql, store, collection, records, commonWords)]);
    return true;
  }
  const waiting = new Set(await addRecords(sql, store, collection, records, commonWords));
  await catalog(records.filter(({ id }) => !waiting.has(id)));
  for (const id of waiting)
    await sql`insert into search_pending (collection, record_id) values (${collection.name}, ${id})`;
  return waiting.size === 0;
}

/** Several statements: the event loop runs between their responses, and fewer of them have to be prepared. */
async function readRecords(
  sql: Sql,
  collection: IndexedCollection,
  ids: readonly number[],
): Promise<IndexedRecord[]> {
  const batches = Array.from({ length: Math.ceil(ids.length / READ_AT_ONCE) }, (_, index) =>
    ids.slice(index * READ_AT_ONCE, (index + 1) * READ_AT_ONCE),
  );
  return (await allEnded(batches.map((batch) => collection.records(sql, batch)))).flat();
}

async function knownEntries(
  sql: Sql,
  { entries }: IndexTables,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly host: string }[]> {
  return sql`select id, host from ${entries} where id in ${ids}`;
}

/** @returns the ids of the records that still have no entry */
async function addRecords(
  sql: Sql,
  store: IndexStore,
  collection: IndexedCollection,
  records: readonly IndexedRecord[],
  commonWords: ReadonlySet<string>,
): Promise<readonly number[]> {
  if (records.length === 0) return [];
  const recordsOf = (ids: readonly number[]) => collection.records(sql, ids);
  return store.add(sql, INDEX_TABLES[collection.name], records, recordsOf, commonWords);
}

import { setImmediate } from "node:timers/promises";
import type { Database, Sql } from "../../database/database.ts";
import { NeedsRepair } from "../../database/errors.ts";
import { requestJob } from "../../jobs/job-store.ts";
import { timeLimit } from "../../time-limit.ts";
import {
  COLLECTIONS,
  type CollectionName,
  INDEX_TABLES,
  type IndexedCollection,
  type IndexedTexts,
  type InsideText,
} from "../collection.ts";
import type { IndexedRecord } from "../text/document.ts";
import { addToCatalog, type CatalogedRecord, replaceInCatalog } from "./catalog.ts";
import { recreateTables } from "./index-schema.ts";
import type { IndexDamage, IndexStore } from "./index-store.ts";
import { INDEX_VERSION } from "./index-version.ts";
import { postgresIndex } from "./postgres-index.ts";
import { sqliteIndex } from "./sqlite-index.ts";

export const indexStores: Readonly<Record<Sql["engine"], IndexStore>> = {
  sqlite: sqliteIndex,
  postgres: postgresIndex,
};

/** The kind of the job that indexes entries of version 0 or of an earlier version; its key is the collection. */
export const INDEX_JOB = "search-index";

/** The maximum number of records whose words one transaction indexes. The words of further ones wait for the job. */
export const WORDS_AT_ONCE = 5_000;

/** The maximum number of entries that one step of the job replaces, so that other writes do not wait for long. */
const STEP = 500;

/**
 * Writes the entries of new or changed records, in the transaction of the change: their words, and the counts of tags and
 * sites. The only callers are the writers of the records.
 *
 * @param hasWords false to leave the words to the job, which the caller requests
 */
export function writeEntries(
  sql: Sql,
  { name }: Pick<IndexedCollection, "name">,
  records: readonly IndexedRecord[],
  { isNew, hasWords = true }: { readonly isNew: boolean; readonly hasWords?: boolean },
): Promise<void> {
  return withRepair(sql, name, async (store) => {
    if (records.length === 0) return;
    const tables = INDEX_TABLES[name];
    if (isNew) {
      await store.add(sql, tables, records, hasWords);
      if (tables.catalog) await addToCatalog(sql, tables.catalog, records, store.rowsAtOnce(records.length));
      return;
    }
    const ids = records.map(({ id }) => id);
    const known = await knownEntries(sql, name, ids);
    if (known.length > 0) await store.remove(sql, tables, ids);
    await store.add(sql, tables, records, hasWords);
    if (tables.catalog)
      await replaceInCatalog(sql, tables.catalog, known, records, store.rowsAtOnce(records.length));
  });
}

function addWords(
  sql: Sql,
  { name }: Pick<IndexedCollection, "name">,
  records: readonly IndexedRecord[],
): Promise<void> {
  return withRepair(sql, name, async (store) => {
    if (records.length === 0) return;
    await store.addWords(sql, INDEX_TABLES[name], records);
  });
}

/** Removes the entries of deleted records, in the transaction that deletes them. */
export function removeEntries(
  sql: Sql,
  { name }: Pick<IndexedCollection, "name">,
  ids: readonly number[],
): Promise<void> {
  return withRepair(sql, name, async (store) => {
    if (ids.length === 0) return;
    const tables = INDEX_TABLES[name];
    const known = tables.catalog === undefined ? [] : await knownEntries(sql, name, ids);
    await store.remove(sql, tables, ids);
    if (tables.catalog && known.length > 0)
      await replaceInCatalog(sql, tables.catalog, known, [], store.rowsAtOnce(ids.length));
  });
}

/**
 * Runs work that writes to the index. A damaged index in a file must not prevent a write. SQLite finds the damage when
 * the work is done or when it is committed, and then runs it again (`isRepeated`), with the words written at its end.
 * @throws NeedsRepair
 */
async function withRepair(
  sql: Sql,
  name: CollectionName,
  work: (store: IndexStore) => Promise<void>,
): Promise<void> {
  const store = indexStores[sql.engine];
  // A transaction of PostgreSQL ends with its first error.
  if (sql.abandonTables === undefined) return work(store);
  try {
    await work(store);
    if (sql.isRepeated) await store.flush(sql, INDEX_TABLES[name]);
  } catch (error) {
    const damage = await store.damage(sql, error);
    if (damage === undefined) throw error;
    throw new NeedsRepair(DAMAGED, error, async (repairing, isLast) =>
      recreateIndex(repairing, isLast ? "pages" : damage),
    );
  }
}

/** Said in the log. */
export const DAMAGED = "The search index was damaged. It is being made again from the records.";

async function knownEntries(
  sql: Sql,
  name: IndexedCollection["name"],
  ids: readonly number[],
): Promise<CatalogedRecord[]> {
  const rows = await sql<CatalogedRecord>`
    select id, host from ${INDEX_TABLES[name].entries} where id in ${ids}`;
  return rows.map(({ id, host }) => ({ id: Number(id), host }));
}

/** Requests the job that indexes what waits, in the transaction after which something waits. */
export async function requestIndexing(sql: Sql, { name }: { readonly name: CollectionName }): Promise<void> {
  // Due at once, whatever the clock says.
  await requestJob(sql, { kind: INDEX_JOB, key: name, runAt: new Date(0) });
}

/** The number of records that searches may miss: those whose entries are of version 0 or of an earlier version. */
export async function countWaiting(sql: Sql, { name }: { readonly name: CollectionName }): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from ${INDEX_TABLES[name].entries} where version < ${INDEX_VERSION}`;
  return Number(row?.n);
}

/**
 * Indexes what waits, newest first, in short transactions. Several processes may do so at the same time. Also adds the
 * entries of records that have none.
 * @param onStep called after each step with the number of records that still wait, if no others are added meanwhile
 */
export async function indexWaiting(
  database: Database,
  collection: IndexedCollection | IndexedTexts,
  { signal, onStep }: { readonly signal?: AbortSignal; readonly onStep?: (left: number) => void } = {},
): Promise<void> {
  const { add, replace } =
    "texts" in collection
      ? {
          add: (sql: Sql) => addMissingTexts(sql, collection),
          replace: (sql: Sql) => textsStep(sql, collection),
        }
      : { add: (sql: Sql) => addMissing(sql, collection), replace: (sql: Sql) => indexStep(sql, collection) };
  while ((await database.write(add)) > 0) signal?.throwIfAborted();
  let left = await countWaiting(database.read, collection);
  for (;;) {
    const replaced = await database.write(replace);
    if (replaced === 0) return;
    signal?.throwIfAborted();
    left -= replaced;
    onStep?.(Math.max(0, left));
    await setImmediate();
  }
}

/** @returns how many entries were added */
async function addMissing(sql: Sql, collection: IndexedCollection): Promise<number> {
  const { entries, records } = INDEX_TABLES[collection.name];
  const rows = await sql<{ id: number }>`
    select r.id from ${records} r where not exists (select 1 from ${entries} e where e.id = r.id) limit ${STEP}`;
  if (rows.length === 0) return 0;
  const missing = await collection.records(
    sql,
    rows.map(({ id }) => Number(id)),
  );
  await writeEntries(sql, collection, missing, { isNew: true });
  return missing.length;
}

/** @returns how many entries were replaced */
async function indexStep(sql: Sql, collection: IndexedCollection): Promise<number> {
  const { entries } = INDEX_TABLES[collection.name];
  const rows = await sql<{ id: number; version: number; page: string }>`
    select id, version, page from ${entries} where version < ${INDEX_VERSION}
    order by version, created_at desc limit ${STEP} ${indexStores[sql.engine].forUpdate}`;
  if (rows.length === 0) return 0;
  const found = await collection.records(
    sql,
    rows.map(({ id }) => Number(id)),
  );
  const byId = new Map(found.map((record) => [record.id, record]));
  const gone = rows.flatMap(({ id }) => (byId.has(Number(id)) ? [] : [Number(id)]));
  await removeEntries(sql, collection, gone);
  // Entries of a large import lack only their words. Those of an upgrade have no page yet, or other words.
  const wordless = rows.flatMap(({ id, version, page }) => {
    const record = byId.get(Number(id));
    return record !== undefined && Number(version) === 0 && record.page === page ? [record] : [];
  });
  await addWords(sql, collection, wordless);
  const others = found.filter((record) => !wordless.includes(record));
  await writeEntries(sql, collection, others, { isNew: false });
  return rows.length;
}

/** The records that have texts inside them, and the tables of both. */
const WITH_TEXTS = { own: INDEX_TABLES.bookmarks, inside: INDEX_TABLES.copies };

/** The maximum number of texts whose words one transaction indexes. They are long. */
export const TEXTS_AT_ONCE = 20;

/**
 * Writes the entries of texts inside records, in the transaction of their change; of more than {@link TEXTS_AT_ONCE}, a job
 * indexes the words.
 * @param ids the records; those that have no text lose their entries
 */
export function writeTexts(sql: Sql, collection: IndexedTexts, ids: readonly number[]): Promise<void> {
  return withRepair(sql, collection.name, async (store) => {
    if (ids.length === 0) return;
    const hasWords = ids.length <= TEXTS_AT_ONCE;
    const texts = hasWords ? await collection.texts(sql, ids) : await waitingTexts(sql, collection, ids);
    await store.putTexts(sql, WITH_TEXTS, texts, hasWords);
    const kept = new Set(texts.map(({ id }) => id));
    const gone = ids.filter((id) => !kept.has(id));
    if (gone.length > 0) await store.removeTexts(sql, WITH_TEXTS, gone);
    if (!hasWords) await requestIndexing(sql, collection);
  });
}

/** The texts of records as long as they wait for the job. */
async function waitingTexts(
  sql: Sql,
  { hasText }: IndexedTexts,
  ids: readonly number[],
): Promise<InsideText[]> {
  const rows = await sql<{ id: number }>`
    select e.id from ${WITH_TEXTS.own.entries} e where e.id in ${ids} and ${hasText}`;
  return rows.map(({ id }) => ({ id: Number(id), copyId: 0, text: "" }));
}

/** @returns how many entries were added */
async function addMissingTexts(sql: Sql, collection: IndexedTexts): Promise<number> {
  await collection.lock(sql);
  const { own, inside } = WITH_TEXTS;
  const rows = await sql<{ id: number }>`
    select e.id from ${own.entries} e where ${collection.hasText}
      and not exists (select 1 from ${inside.entries} c where ${indexStores[sql.engine].isInside})
    order by e.id limit ${TEXTS_AT_ONCE}`;
  await writeTexts(
    sql,
    collection,
    rows.map(({ id }) => Number(id)),
  );
  return rows.length;
}

/** @returns how many entries were replaced */
async function textsStep(sql: Sql, collection: IndexedTexts): Promise<number> {
  await collection.lock(sql);
  const { own, inside } = WITH_TEXTS;
  const rows = await sql<{ id: number; is_there: boolean | number }>`
    select c.id, exists (select 1 from ${own.entries} e where ${indexStores[sql.engine].isInside}) as is_there
    from ${inside.entries} c where c.version < ${INDEX_VERSION} order by c.version, c.id limit ${TEXTS_AT_ONCE}`;
  const ids = rows.map(({ id }) => Number(id));
  // Of a record that was removed: when it comes back, its entry is added.
  const gone = rows.flatMap(({ id, is_there }) => (is_there ? [] : [Number(id)]));
  await withRepair(sql, collection.name, async (store) => {
    if (gone.length > 0) await store.removeTexts(sql, WITH_TEXTS, gone);
  });
  await writeTexts(
    sql,
    collection,
    ids.filter((id) => !gone.includes(id)),
  );
  return rows.length;
}

/** Makes the index of a database that has records but no entries, as after a move. */
export async function ensureEntries(database: Database): Promise<void> {
  try {
    if (await lacksEntries(database)) await repairIndex(database);
  } catch (error) {
    if (!(await repairAfter(database, error))) throw error;
  }
}

async function lacksEntries(database: Database): Promise<boolean> {
  for (const { records, entries } of [INDEX_TABLES.bookmarks, INDEX_TABLES.posts]) {
    const [row] = await database.read`
      select 1 from (select id from ${records} limit 1) as r where not exists (select 1 from ${entries})`;
    if (row !== undefined) return true;
  }
  return false;
}

/**
 * Makes the index again from the records, whatever its state: until the job is done, searches find what it has reached.
 * @param damage of it; by default its pages are looked at
 */
export async function repairIndex(database: Database, known?: IndexDamage): Promise<void> {
  const { abandonTables } = database.read;
  const damage = known ?? (await indexStores[database.engine].pageDamage(database.read));
  await database
    .write((sql) => recreateIndex(sql, damage))
    .catch((error) => {
      if (damage === "pages" || abandonTables === undefined) throw error;
      return database.write((sql) => recreateIndex(sql, "pages"));
    });
}

/** The time limit for looking at each page of the index, in milliseconds. */
const LOOK_MS = 60_000;

/**
 * Makes the index again if an error of a read shows that it is damaged.
 * @returns whether it was, and is rebuilt
 */
export async function repairAfter(database: Database, error: unknown): Promise<boolean> {
  const store = indexStores[database.engine];
  const damage = await store.damage(database.read, error);
  if (damage === undefined) return false;
  // The page may be one of the records, which a search reads, too.
  const apart = database.readApart(performance.now() + timeLimit(LOOK_MS));
  if (damage === "pages" && (await store.pageDamage(apart)) === undefined) return false;
  await repairIndex(database, damage);
  return true;
}

/** @param damage what is known of it: damaged pages are left where they are */
async function recreateIndex(sql: Sql, damage: IndexDamage | undefined): Promise<void> {
  // Their pages would be followed, to be freed, wherever they point to.
  if (damage === "contents" && (await indexStores[sql.engine].pageDamage(sql)) === "pages")
    throw new Error("Pages of the search index are damaged.");
  await recreateTables(sql, damage === "pages");
  for (const name of COLLECTIONS) await requestIndexing(sql, { name });
}

import { posting, type Sql } from "../../database/database.ts";
import type { CollectionName } from "../collection.ts";
import { PAGE_KEY_VERSION } from "../text/page-key.ts";
import { TOKENIZER_VERSION } from "../text/tokens.ts";

/** Increase this when the parts or marks of documents change. */
const DOCUMENT_VERSION = 6;

/** The version of the indexer. Entries of any other version are replaced. None of its numbers ever decreases. */
export const INDEX_VERSION = `${TOKENIZER_VERSION}.${PAGE_KEY_VERSION}.${DOCUMENT_VERSION}`;

/** Negative if the first version is older than the other one, positive if it is newer. */
export function compareVersions(one: string, other: string): number {
  const numbers = one.split(".").map(Number);
  for (const [index, number] of other.split(".").map(Number).entries()) {
    const difference = (numbers[index] || 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * `due`: many records were added since the last merge, and the next step decides whether to merge. `begun`: a
 * merge is in progress.
 */
export type Merging = "due" | "begun";

/** The pending work of a collection's index, as one consistent read. */
export interface IndexState {
  /** The first and last mark of a record to index; undefined if there are none. */
  readonly firstMark: number | undefined;
  readonly lastMark: number | undefined;
  /** The last id that the rebuild has indexed; undefined if no rebuild is in progress. */
  readonly rebuiltTo: number | undefined;
  /** The version of the indexer that maintains the index; undefined if there is none yet. */
  readonly version: string | undefined;
  readonly isOfThisVersion: boolean;
  /** The pending merge; undefined if there is none. Searches find unmerged words too, but more slowly. */
  readonly merging: Merging | undefined;
  /** The list of common words whose pairs are indexed, as its JSON text; undefined if none was chosen yet. */
  readonly commonWords: string | undefined;
  /**
   * How many times the index was dropped and recreated. An error from an earlier generation says nothing
   * about this one.
   */
  readonly generation: number;
}

export async function readState(sql: Sql, collection: CollectionName): Promise<IndexState> {
  const [row] = await sql<{
    first: number | null;
    last: number | null;
    rebuilt: string | null;
    merge: Merging | null;
    common: string | null;
    version: string | null;
    generation: string | null;
  }>`
    select (select position from search_pending where collection = ${collection}
        order by position limit 1) as first,
      (select position from search_pending where collection = ${collection}
        order by position desc limit 1) as last,
      (select value from search_state where name = ${rebuildOf(collection)}) as rebuilt,
      (select value from search_state where name = ${mergeOf(collection)}) as merge,
      (select value from search_state where name = ${commonWordsOf(collection)}) as common,
      (select value from search_state where name = 'version') as version,
      (select value from search_state where name = 'generation') as generation`;
  return {
    firstMark: row?.first == null ? undefined : Number(row.first),
    lastMark: row?.last == null ? undefined : Number(row.last),
    rebuiltTo: row?.rebuilt == null ? undefined : Number(row.rebuilt),
    version: row?.version ?? undefined,
    isOfThisVersion: row?.version === INDEX_VERSION,
    merging: row?.merge ?? undefined,
    commonWords: row?.common ?? undefined,
    generation: Number(row?.generation ?? 0),
  };
}

/** Whether a process of this version has indexed every record, except those that are marked. */
export function isWhole({ isOfThisVersion, rebuiltTo }: IndexState): boolean {
  return isOfThisVersion && rebuiltTo === undefined;
}

/**
 * Starts a rebuild in the order of ids. Until it ends, searches use the existing entries. Its first step chooses the
 * common words.
 */
export async function beginRebuild(sql: Sql, collections: readonly CollectionName[]): Promise<void> {
  // The rebuild covers all records, so the marks are no longer needed.
  await posting(sql)`delete from search_pending`;
  for (const name of collections) {
    await posting(sql)`delete from search_state where name = ${commonWordsOf(name)}`;
    await setState(sql, rebuildOf(name), "0");
  }
  await setState(sql, "version", INDEX_VERSION);
}

/** @param to the last indexed id; undefined if all are indexed */
export async function noteRebuilt(
  sql: Sql,
  collection: CollectionName,
  to: number | undefined,
): Promise<void> {
  if (to === undefined) await posting(sql)`delete from search_state where name = ${rebuildOf(collection)}`;
  else await setState(sql, rebuildOf(collection), String(to));
}

/** @param merging undefined when all words are merged */
export async function noteMerging(
  sql: Sql,
  collection: CollectionName,
  merging: Merging | undefined,
): Promise<void> {
  if (merging !== undefined) await setState(sql, mergeOf(collection), merging);
  else await posting(sql)`delete from search_state where name = ${mergeOf(collection)}`;
}

/** Each list has another serial number, so that none looks like an earlier one, even with the same words. */
export async function noteCommonWords(
  sql: Sql,
  collection: CollectionName,
  words: readonly string[],
): Promise<void> {
  const [row] = await sql<{ value: string }>`
    insert into search_state (name, value) values ('lists', '1')
    on conflict (name) do update set value = cast(cast(search_state.value as integer) + 1 as text)
    returning value`;
  const list = { serial: Number(row?.value), words };
  await setState(sql, commonWordsOf(collection), JSON.stringify(list));
}

/**
 * Records that the index is about to be recreated. Only the first process to do so for a generation succeeds.
 * @returns whether the caller must recreate the index
 */
export async function noteRecreation(sql: Sql, generation: number): Promise<boolean> {
  const rows = await sql`
    insert into search_state (name, value) values ('generation', ${String(generation + 1)})
    on conflict (name) do update set value = excluded.value where search_state.value = ${String(generation)}
    returning name`;
  return rows.length > 0;
}

async function setState(sql: Sql, name: string, value: string): Promise<void> {
  await posting(sql)`
    insert into search_state (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`;
}

/** The words of a list in the state. */
export function parseCommonWords(list: string | undefined): ReadonlySet<string> {
  return new Set(list === undefined ? [] : (JSON.parse(list) as { words: string[] }).words);
}

function commonWordsOf(collection: CollectionName): string {
  return `common:${collection}`;
}

function mergeOf(collection: CollectionName): string {
  return `merge:${collection}`;
}

function rebuildOf(collection: CollectionName): string {
  return `rebuild:${collection}`;
}

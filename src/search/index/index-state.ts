import type { Sql } from "../../database/database.ts";
import type { CollectionName } from "../collection.ts";
import { PAGE_KEY_VERSION } from "../text/page-key.ts";
import { TOKENIZER_VERSION } from "../text/tokens.ts";

/** Raised when the parts or marks of documents change. */
const DOCUMENT_VERSION = 5;

/** The version of the indexer: entries of another version are replaced. */
export const INDEX_VERSION = `${TOKENIZER_VERSION}.${PAGE_KEY_VERSION}.${DOCUMENT_VERSION}`;

/** Words of many records were added, and nobody has looked whether to merge them; or they are being merged. */
export type Merging = "due" | "begun";

/** The pending work of a collection's index, read at one moment. */
export interface IndexState {
  /** The first and the last mark; undefined when no record is marked. */
  readonly firstMark: number | undefined;
  readonly lastMark: number | undefined;
  /** The last id that a rebuild has come to; undefined when none is under way. */
  readonly rebuiltTo: number | undefined;
  readonly isOfThisVersion: boolean;
  /** Whether words of many records are to be merged; undefined when they are. Unmerged words are found too, but slower. */
  readonly merging: Merging | undefined;
  /** How often the index was dropped and made anew: an error of an earlier one says nothing about this one. */
  readonly generation: number;
}

export async function readState(sql: Sql, collection: CollectionName): Promise<IndexState> {
  const [row] = await sql<{
    first: number | null;
    last: number | null;
    rebuilt: string | null;
    merge: Merging | null;
    version: string | null;
    generation: string | null;
  }>`
    select (select position from search_pending where collection = ${collection}
        order by position limit 1) as first,
      (select position from search_pending where collection = ${collection}
        order by position desc limit 1) as last,
      (select value from search_state where name = ${rebuildOf(collection)}) as rebuilt,
      (select value from search_state where name = ${mergeOf(collection)}) as merge,
      (select value from search_state where name = 'version') as version,
      (select value from search_state where name = 'generation') as generation`;
  return {
    firstMark: row?.first == null ? undefined : Number(row.first),
    lastMark: row?.last == null ? undefined : Number(row.last),
    rebuiltTo: row?.rebuilt == null ? undefined : Number(row.rebuilt),
    isOfThisVersion: row?.version === INDEX_VERSION,
    merging: row?.merge ?? undefined,
    generation: Number(row?.generation ?? 0),
  };
}

/** Starts a rebuild in the order of ids; meanwhile, searches use the existing entries. */
export async function beginRebuild(sql: Sql, collections: readonly CollectionName[]): Promise<void> {
  // What is marked now is among all records.
  await sql`delete from search_pending`;
  for (const name of collections) await setState(sql, rebuildOf(name), "0");
  await setState(sql, "version", INDEX_VERSION);
}

/** @param to the last id that was indexed; undefined when all are */
export async function noteRebuilt(
  sql: Sql,
  collection: CollectionName,
  to: number | undefined,
): Promise<void> {
  if (to === undefined) await sql`delete from search_state where name = ${rebuildOf(collection)}`;
  else await setState(sql, rebuildOf(collection), String(to));
}

/** @param merging undefined when all words are merged */
export async function noteMerging(
  sql: Sql,
  collection: CollectionName,
  merging: Merging | undefined,
): Promise<void> {
  if (merging !== undefined) await setState(sql, mergeOf(collection), merging);
  else await sql`delete from search_state where name = ${mergeOf(collection)}`;
}

/**
 * Notes that the index is about to be made anew, once for each generation, whichever process comes first.
 * @returns whether it is the caller that makes it
 */
export async function noteRecreation(sql: Sql, generation: number): Promise<boolean> {
  const rows = await sql`
    insert into search_state (name, value) values ('generation', ${String(generation + 1)})
    on conflict (name) do update set value = excluded.value where search_state.value = ${String(generation)}
    returning name`;
  return rows.length > 0;
}

async function setState(sql: Sql, name: string, value: string): Promise<void> {
  await sql`
    insert into search_state (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`;
}

function mergeOf(collection: CollectionName): string {
  return `merge:${collection}`;
}

function rebuildOf(collection: CollectionName): string {
  return `rebuild:${collection}`;
}

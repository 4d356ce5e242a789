import type { Sql } from "../../database/database.ts";
import type { Fragment } from "../../database/fragment.ts";
import type { IndexTables } from "../collection.ts";
import type { Query } from "../query/query.ts";
import type { Tier } from "../query/tiers.ts";
import type { IndexedDocument, IndexedRecord } from "../text/document.ts";
import type { CommonPairs } from "./common-pairs.ts";
import type { Merging } from "./index-state.ts";

/** The indexed length of a title, in characters. It is enough for sorting, since few titles share so long a start. */
export const TITLE_LENGTH = 16;

/** A record and its tokens. */
export interface IndexEntry {
  readonly record: IndexedRecord;
  readonly document: IndexedDocument;
}

/** A position in the order by age. Entries before it in a list, newest first, are younger. */
export interface AgePosition {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly id: number;
}

/** Which entries to find. */
export interface EntryFilter {
  readonly tables: IndexTables;
  /** Undefined matches every entry. */
  readonly query: Query | undefined;
  /** Inclusive lower bound of the creation time, in milliseconds since 1970. */
  readonly from: number | undefined;
  /** Exclusive upper bound of the creation time. */
  readonly to: number | undefined;
  /** An SQL condition on the entry `e`. */
  readonly visible: Fragment | undefined;
  /** The pairs of words that are looked for as one word. */
  readonly pairs: CommonPairs;
}

/** Entries in the order of relevance: by tier, newest first within each tier. */
export interface RelevanceLookup extends EntryFilter {
  readonly after: RankedPosition | undefined;
  readonly limit: number;
}

export interface RankedPosition extends AgePosition {
  readonly tier: Tier;
}

export interface SortedLookup extends EntryFilter {
  readonly sort: "newest" | "oldest" | "title";
  readonly after: { readonly key: string | number; readonly id: number } | undefined;
  readonly limit: number;
}

export interface FoundEntry {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The record's whole title, if entries are sorted by title. */
  readonly title?: string | undefined;
}

/** An entry and the highest tier in which it matches. */
export interface RankedEntry {
  readonly entry: FoundEntry;
  readonly tier: Tier;
}

/** The operations that differ between the engines. */
export interface IndexStore {
  /**
   * Locks the index for writing; false if another transaction has locked it.
   * @param patience how long to wait for that transaction, in milliseconds
   * @throws LockTimeout if that takes longer
   */
  claim(sql: Sql, patience: number): Promise<boolean>;
  /** Removes entries. Ids without an entry are ignored. */
  remove(sql: Sql, tables: IndexTables, ids: readonly number[]): Promise<void>;
  /**
   * Adds entries for records that have none.
   * @param recordsOf reads records that are already indexed, for entries that have to move
   * @param commonWords the words whose pairs are indexed, if the index has pairs
   * @returns the ids that could not be added yet and must be retried in the next step
   */
  add(
    sql: Sql,
    tables: IndexTables,
    records: readonly IndexedRecord[],
    recordsOf: (ids: readonly number[]) => Promise<IndexedRecord[]>,
    commonWords: ReadonlySet<string>,
  ): Promise<readonly number[]>;
  /** Whether `add` never leaves out an id, so that nothing has to wait for it. */
  readonly addsAll: boolean;
  /** Whether pairs of common words are indexed as one word, so that phrases of them are found fast. */
  readonly hasPairs: boolean;
  /**
   * Merges some of the words, so that searches read them in one place.
   * @returns whether there is more to merge
   */
  merge(sql: Sql, tables: IndexTables, merging: Merging): Promise<boolean>;
  findRelevant(sql: Sql, lookup: RelevanceLookup): Promise<RankedEntry[]>;
  /** {@link findRelevant} and {@link count} at once, which may share their work. */
  findAndCount(
    sql: Sql,
    lookup: RelevanceLookup,
    max: number,
  ): Promise<{ readonly found: readonly RankedEntry[]; readonly count: number }>;
  /** Whether `findAndCount` saves work by doing both together. Otherwise another thread may count meanwhile. */
  sharesCount(lookup: RelevanceLookup): boolean;
  findSorted(sql: Sql, lookup: SortedLookup): Promise<FoundEntry[]>;
  /** The number of matching entries, at most `max`, wherever the list begins. */
  count(sql: Sql, lookup: EntryFilter, max: number): Promise<number>;
  /** Whether the error or the state of the index shows corruption. */
  isBroken(sql: Sql, error?: unknown): Promise<boolean>;
  /** Drops the index's tables and creates them empty. */
  recreate(sql: Sql): Promise<void>;
  /** The problems of the index; empty if there are none. */
  faults(sql: Sql, tables: IndexTables): Promise<string[]>;
}

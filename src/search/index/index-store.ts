import type { Sql } from "../../database/database.ts";
import type { Fragment } from "../../database/fragment.ts";
import type { IndexTables } from "../collection.ts";
import type { Query } from "../query/query.ts";
import type { Tier } from "../query/tiers.ts";
import type { IndexedDocument, IndexedRecord } from "../text/document.ts";
import type { Merging } from "./index-state.ts";

/** How many characters of a title are in the index: enough to sort by, as few titles begin with the same. */
export const TITLE_LENGTH = 16;

/** A record and its tokens. */
export interface IndexEntry {
  readonly record: IndexedRecord;
  readonly document: IndexedDocument;
}

/** A place in the order of age: before it in a list newest first is what is younger. */
export interface AgePosition {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly id: number;
}

/** The entries to find. */
export interface EntryFilter {
  readonly tables: IndexTables;
  /** Undefined is any entry. */
  readonly query: Query | undefined;
  /** Created from then on, in milliseconds since 1970. */
  readonly from: number | undefined;
  /** Created before. */
  readonly to: number | undefined;
  /** A condition on the entry `e`. */
  readonly visible: Fragment | undefined;
}

/** Entries in the order of relevance: by tier, and newest first within each. */
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
  /** The record's whole title, where entries are sorted by it. */
  readonly title?: string | undefined;
}

/** An entry and the first tier that it is of. */
export interface RankedEntry {
  readonly entry: FoundEntry;
  readonly tier: Tier;
}

/** The operations that differ between the engines. */
export interface IndexStore {
  /** Locks the index for writing; false if another transaction has locked it. */
  claim(sql: Sql): Promise<boolean>;
  /** Removes entries; ids without one are passed over. */
  remove(sql: Sql, tables: IndexTables, ids: readonly number[]): Promise<void>;
  /**
   * Adds entries; none of the ids has one.
   * @param documentsOf reads records that are indexed already, when their places have to change
   * @returns the ids of those that cannot be added yet, and have to be tried again in the next step
   */
  add(
    sql: Sql,
    tables: IndexTables,
    entries: readonly IndexEntry[],
    documentsOf: (ids: readonly number[]) => Promise<IndexEntry[]>,
  ): Promise<readonly number[]>;
  /**
   * Merges some of the words of many records, so that searches read them in one place.
   * @returns whether there are more to merge
   */
  merge(sql: Sql, tables: IndexTables, merging: Merging): Promise<boolean>;
  findRelevant(sql: Sql, lookup: RelevanceLookup): Promise<RankedEntry[]>;
  findSorted(sql: Sql, lookup: SortedLookup): Promise<FoundEntry[]>;
  /** How many entries there are, counted up to `max`. */
  count(sql: Sql, lookup: EntryFilter, max: number): Promise<number>;
  /** Whether the error or the state of the index shows that it is corrupt. */
  isBroken(sql: Sql, error?: unknown): Promise<boolean>;
  /** Drops the index's tables and makes them anew, empty. */
  recreate(sql: Sql): Promise<void>;
  /** The problems of the index; empty if there are none. */
  faults(sql: Sql, tables: IndexTables): Promise<string[]>;
}

import type { Sql } from "../../database/database.ts";
import type { Fragment } from "../../database/fragment.ts";
import type { IndexTables, InsideText } from "../collection.ts";
import type { Query } from "../query/query.ts";
import type { Tier } from "../query/tiers.ts";
import type { IndexedRecord } from "../text/document.ts";

/** The indexed length of a title, in characters. It is enough for sorting, since few titles share so long a start. */
export const TITLE_LENGTH = 16;

/** The maximum number of rows that one statement writes of tags and of counts. */
export const CATALOG_ROWS_AT_ONCE = 128;

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

/** The tables of records, and those of the texts inside them. */
export interface InsideTables {
  readonly own: IndexTables;
  readonly inside: IndexTables;
}

/** What is damaged of the index: pages of the file, or only what is written on them or missing. */
export type IndexDamage = "pages" | "contents";

/** The operations that differ between the engines. */
export interface IndexStore {
  /** Removes entries with their words. Ids without an entry are ignored. */
  remove(sql: Sql, tables: IndexTables, ids: readonly number[]): Promise<void>;
  /**
   * Adds entries for records that have none.
   * @param hasWords whether to index their words now; otherwise their version is 0
   */
  add(sql: Sql, tables: IndexTables, records: readonly IndexedRecord[], hasWords: boolean): Promise<void>;
  /** Adds the words of entries of version 0 that have everything else. */
  addWords(sql: Sql, tables: IndexTables, records: readonly IndexedRecord[]): Promise<void>;
  /** How many rows of the catalog one statement writes if this many records are added or replaced. */
  rowsAtOnce(records: number): number;
  /** Stores what the engine has gathered in memory, so that damage is found here and not at the commit. */
  flush(sql: Sql, tables: IndexTables): Promise<void>;
  /**
   * Writes the entries of texts inside records, in place of those that they have; texts of records without an entry are left
   * out.
   * @param hasWords whether to index their words now; otherwise their version is 0
   */
  putTexts(sql: Sql, tables: InsideTables, texts: readonly InsideText[], hasWords: boolean): Promise<void>;
  /** Removes the entries of texts inside records. */
  removeTexts(sql: Sql, tables: InsideTables, ids: readonly number[]): Promise<void>;
  /** The condition that a record's entry `e` and that of the text inside it, `c`, belong together. */
  readonly isInside: Fragment;
  /** The tables in which records are found by the texts inside them: only for {@link findSorted} and {@link count}. */
  foundInside(tables: InsideTables): IndexTables;
  /** The condition that the record of an entry `e` has words that match, or has none. */
  hasWords(tables: IndexTables, query: Query, isExcluded: boolean): Fragment;
  /** The same of the text inside the record. */
  hasInside(tables: InsideTables, query: Query, isExcluded: boolean): Fragment;
  /**
   * The condition that the record of an entry `e` is among some.
   * @param ids a selection of ids
   * @param leads whether no words are searched: then the engine may begin with these
   */
  isAmong(ids: Fragment, how: { readonly isExcluded: boolean; readonly leads: boolean }): Fragment;
  findRelevant(sql: Sql, lookup: RelevanceLookup): Promise<RankedEntry[]>;
  /** {@link findRelevant} and {@link count} at once, which may share their work. */
  findAndCount(
    sql: Sql,
    lookup: RelevanceLookup,
    max: number,
  ): Promise<{ readonly found: readonly RankedEntry[]; readonly count: number }>;
  findSorted(sql: Sql, lookup: SortedLookup): Promise<FoundEntry[]>;
  /** The number of matching entries, at most `max`, wherever the list begins. */
  count(sql: Sql, lookup: EntryFilter, max: number): Promise<number>;
  /** Whether the error of an operation on the index, or a missing table, shows that the index is damaged. */
  damage(sql: Sql, error?: unknown): Promise<IndexDamage | undefined>;
  /** Looks at every page of the index. */
  pageDamage(sql: Sql): Promise<IndexDamage | undefined>;
  /** Selects entries for a transaction that replaces them: no other one replaces them meanwhile. */
  readonly forUpdate: Fragment;
  /** The problems of the index; empty if there are none. */
  faults(sql: Sql, tables: IndexTables): Promise<string[]>;
}

import type { Database, Sql } from "../database.ts";

/** Tables whose records may bring ids of their own. */
export type TableWithIds = "bookmarks" | "posts" | "comments" | "tags";

/** What the records of a file need of a table. */
export interface NeededIds {
  /** The highest id that a record brings, 0 without one. */
  readonly highest: number;
  /** @returns the last id that they can get, if all ids up to `before` are given */
  lastAfter(before: number): number;
}

/** By table, the last id from before those that are reserved. */
export type ReservedIds = ReadonlyMap<TableWithIds, number>;

/** The parts of giving ids that differ between engines. */
export interface EngineIds {
  /** Reserves ids in a transaction of its own, for tables where a record can keep its id. */
  reserve(
    database: Pick<Database, "write">,
    needs: ReadonlyMap<TableWithIds, NeededIds>,
  ): Promise<ReservedIds>;
  /** The last id that a table has given, 0 before the first one. */
  last(sql: Sql, table: TableWithIds): Promise<number>;
  /** Gives the next ids of a table; undefined where a transaction that writes may count on from the last one. */
  readonly draw: ((sql: Sql, table: TableWithIds, count: number) => Promise<number[]>) | undefined;
  /** From now on a table gives ids after this one. */
  advance(sql: Sql, table: TableWithIds, last: number): Promise<void>;
}

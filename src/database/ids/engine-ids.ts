import type { Database, Sql } from "../database.ts";
import type { Fragment } from "../fragment.ts";

/** The ids that the records of a file need in a table. */
export interface NeededIds {
  /** The highest id of an imported record, 0 without one. */
  readonly highest: number;
  /** @returns the last id that they can get, if all ids up to `before` are assigned */
  lastAfter(before: number): number;
}

/** By table, the last id from before those that are reserved. */
export type ReservedIds = ReadonlyMap<string, number>;

/** The parts of assigning ids that differ between engines. */
export interface EngineIds {
  /** Reserves ids in a separate transaction, for tables where a record can keep its id. */
  reserve(database: Pick<Database, "write">, needs: ReadonlyMap<string, NeededIds>): Promise<ReservedIds>;
  /** The last id that a table has assigned, 0 before the first one. */
  last(sql: Sql, table: string): Promise<number>;
  /** Runs an `insert` of one row. @returns its id */
  insertOne(sql: Sql, insert: Fragment): Promise<number>;
  /** Assigns the next ids of a table; undefined where a writing transaction may count on from the last one. */
  readonly draw: ((sql: Sql, table: string, count: number) => Promise<number[]>) | undefined;
  /** Makes a table assign only ids above this one. */
  advance(sql: Sql, table: string, last: number): Promise<void>;
}

import type { Sql } from "../database.ts";

/** Tables whose imported records may keep their ids. */
export type TableWithIds = "bookmarks" | "posts" | "comments" | "tags";

/** The parts of id assignment that differ between engines. */
export interface EngineIds {
  /** Blocks the id assignment of these tables for others until the transaction ends. */
  hold(sql: Sql): Promise<void>;
  /** The last assigned id of a table, 0 before the first one. */
  last(sql: Sql, table: TableWithIds): Promise<number>;
  /** Makes a table assign only ids above this one. */
  advance(sql: Sql, table: TableWithIds, last: number): Promise<void>;
}

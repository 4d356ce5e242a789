import type { Sql } from "../database.ts";

/** Tables whose records may bring ids of their own. */
export type TableWithIds = "bookmarks" | "posts" | "comments" | "tags";

/** The parts of giving ids that differ between engines. */
export interface EngineIds {
  /** Until the transaction ends, nobody else gets an id of these tables. */
  hold(sql: Sql): Promise<void>;
  /** The last id that a table has given, 0 before the first one. */
  last(sql: Sql, table: TableWithIds): Promise<number>;
  /** From now on a table gives ids after this one. */
  advance(sql: Sql, table: TableWithIds, last: number): Promise<void>;
}

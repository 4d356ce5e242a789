import type { Database, Sql } from "../database.ts";
import type { EngineIds, TableWithIds } from "./engine-ids.ts";
import { postgresIds } from "./postgres-ids.ts";
import { sqliteIds } from "./sqlite-ids.ts";

const engines: Readonly<Record<Database["engine"], EngineIds>> = { sqlite: sqliteIds, postgres: postgresIds };

/** The highest id that an imported record can keep, so that a file cannot use up the ids. */
const BROUGHT_MAX = 1_000_000_000_000;

/**
 * Blocks the id assignment of all tables for others until the transaction ends. Called before the transaction changes
 * anything.
 */
export function holdIds(sql: Sql, engine: Database["engine"]): Promise<void> {
  return engines[engine].hold(sql);
}

/** Assigns ids to imported records, in a transaction that has called {@link holdIds}. */
export class NewIds {
  readonly #table: TableWithIds;
  readonly #engine: EngineIds;
  /** The last id from before this transaction. */
  readonly before: number;
  #last: number;

  private constructor(table: TableWithIds, engine: EngineIds, last: number) {
    this.#table = table;
    this.#engine = engine;
    this.before = last;
    this.#last = last;
  }

  static async of(sql: Sql, engine: Database["engine"], table: TableWithIds): Promise<NewIds> {
    return new NewIds(table, engines[engine], await engines[engine].last(sql, table));
  }

  /** @param brought the id of the record in its file, which is used if it is above every id ever assigned */
  take(brought: number | null): number {
    this.#last =
      brought !== null && brought > this.#last && brought <= BROUGHT_MAX ? brought : this.#last + 1;
    return this.#last;
  }

  /** The last step. @param last an id that counts as assigned, too */
  async finish(sql: Sql, last = 0): Promise<void> {
    const highest = Math.max(this.#last, last <= BROUGHT_MAX ? last : 0);
    if (highest > this.before) await this.#engine.advance(sql, this.#table, highest);
  }
}

import type { Database, Sql } from "../database.ts";
import type { EngineIds, TableWithIds } from "./engine-ids.ts";
import { postgresIds } from "./postgres-ids.ts";
import { sqliteIds } from "./sqlite-ids.ts";

const engines: Readonly<Record<Database["engine"], EngineIds>> = { sqlite: sqliteIds, postgres: postgresIds };

/** A record that brings a higher id gets another one, so that a file cannot use the ids up. */
const BROUGHT_MAX = 1_000_000_000_000;

/** Holds the ids of all tables until the transaction ends. Called before the transaction changes anything. */
export function holdIds(sql: Sql, engine: Database["engine"]): Promise<void> {
  return engines[engine].hold(sql);
}

/** Gives ids to records that are stored with their ids, in a transaction that holds them ({@link holdIds}). */
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

  /** @param brought the id that a record has elsewhere: it is kept when it is above every id ever given */
  take(brought: number | null): number {
    this.#last =
      brought !== null && brought > this.#last && brought <= BROUGHT_MAX ? brought : this.#last + 1;
    return this.#last;
  }

  /** The last step. @param last an id that counts as given, too */
  async finish(sql: Sql, last = 0): Promise<void> {
    const highest = Math.max(this.#last, last <= BROUGHT_MAX ? last : 0);
    if (highest > this.before) await this.#engine.advance(sql, this.#table, highest);
  }
}

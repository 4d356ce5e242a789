import type { Database, Sql } from "../database.ts";
import type { EngineIds, NeededIds, ReservedIds, TableWithIds } from "./engine-ids.ts";
import { postgresIds } from "./postgres-ids.ts";
import { sqliteIds } from "./sqlite-ids.ts";

const engines: Readonly<Record<Database["engine"], EngineIds>> = { sqlite: sqliteIds, postgres: postgresIds };

/** A record that brings a higher id gets another one, so that a file cannot use the ids up. */
const BROUGHT_MAX = 1_000_000_000_000;

/** Reserves the ids that records bring, where they can keep them. Called before the transaction that uses them. */
export function reserveIds(
  database: Pick<Database, "write" | "engine">,
  needs: ReadonlyMap<TableWithIds, NeededIds>,
): Promise<ReservedIds> {
  return engines[database.engine].reserve(database, needs);
}

/**
 * @param brought the ids that the records of a file bring, in their order; null for a record without one
 * @param last an id that counts as given if the table is empty
 */
export function idsNeeded(brought: Iterable<number | null>, last = 0): NeededIds {
  const lastIfEmpty = last <= BROUGHT_MAX ? last : 0;
  let count = 0;
  let reached = 0;
  let highest = lastIfEmpty;
  for (const id of brought) {
    count++;
    reached = nextId(reached, id);
    if (id !== null && id <= BROUGHT_MAX) highest = Math.max(highest, id);
  }
  return {
    highest,
    lastAfter: (before) => Math.max(before + count, reached, before === 0 ? lastIfEmpty : 0),
  };
}

/** Where new ids are to be used. */
export interface NewIdsOptions {
  /** The ids that this transaction has reserved ({@link reserveIds}). */
  readonly reserved?: ReservedIds;
  /** A dry run gets ids that nobody has reserved, and stores nothing. */
  readonly isDry?: boolean;
}

/** Gives ids to records that are stored with their ids. */
export class NewIds {
  readonly #sql: Sql;
  readonly #table: TableWithIds;
  readonly #engine: EngineIds;
  /** Drawn ids that are not taken yet; undefined where the ids are counted on from the last one. */
  readonly #drawn: number[] | undefined;
  /** The last id from before this transaction. */
  readonly before: number;
  #last: number;

  private constructor(
    sql: Sql,
    engine: EngineIds,
    table: TableWithIds,
    before: number,
    drawn: number[] | undefined,
  ) {
    this.#sql = sql;
    this.#engine = engine;
    this.#table = table;
    this.#drawn = drawn;
    this.before = before;
    this.#last = before;
  }

  static async of(
    sql: Sql,
    engineName: Database["engine"],
    table: TableWithIds,
    { reserved, isDry = false }: NewIdsOptions = {},
  ): Promise<NewIds> {
    const engine = engines[engineName];
    const known = reserved?.get(table);
    const isDrawn = engine.draw !== undefined && known === undefined && !isDry;
    return new NewIds(sql, engine, table, known ?? (await engine.last(sql, table)), isDrawn ? [] : undefined);
  }

  /** Makes sure that ids for this many records can be taken. */
  async prepare(count: number): Promise<void> {
    const missing = count - (this.#drawn?.length ?? count);
    if (missing > 0)
      this.#drawn?.push(...((await this.#engine.draw?.(this.#sql, this.#table, missing)) ?? []));
  }

  /** @param brought the id that a record has elsewhere: it is kept when it is above every id ever given */
  take(brought: number | null): number {
    if (this.#drawn === undefined) this.#last = nextId(this.#last, brought);
    else {
      const id = this.#drawn.shift();
      if (id === undefined) throw new Error("ids are taken that were not prepared");
      this.#last = id;
    }
    return this.#last;
  }

  /** The last step. @param last an id that counts as given, too */
  async finish(last = 0): Promise<void> {
    const highest = Math.max(this.#last, last <= BROUGHT_MAX ? last : 0);
    if (highest > this.before) await this.#engine.advance(this.#sql, this.#table, highest);
  }
}

function nextId(last: number, brought: number | null): number {
  return brought !== null && brought > last && brought <= BROUGHT_MAX ? brought : last + 1;
}

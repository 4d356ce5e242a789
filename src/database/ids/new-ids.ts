import type { Database, Sql } from "../database.ts";
import type { Fragment } from "../fragment.ts";
import type { EngineIds, NeededIds, ReservedIds } from "./engine-ids.ts";
import { postgresIds } from "./postgres-ids.ts";
import { sqliteIds } from "./sqlite-ids.ts";

const engines: Readonly<Record<Database["engine"], EngineIds>> = { sqlite: sqliteIds, postgres: postgresIds };

/** An imported record with a higher id gets another one, so that a file cannot use up the ids. */
const IMPORTED_ID_MAX = 1_000_000_000_000;

/** Reserves the ids of imported records, where they can keep them. Called before the transaction that uses them. */
export function reserveIds(
  database: Pick<Database, "write" | "engine">,
  needs: ReadonlyMap<string, NeededIds>,
): Promise<ReservedIds> {
  return engines[database.engine].reserve(database, needs);
}

/**
 * @param ids the ids of a file's records, in their order; null for a record without one
 * @param last an id that counts as assigned if the table is empty
 */
export function idsNeeded(ids: Iterable<number | null>, last = 0): NeededIds {
  const lastIfEmpty = last <= IMPORTED_ID_MAX ? last : 0;
  let count = 0;
  let reached = 0;
  let highest = lastIfEmpty;
  for (const id of ids) {
    count++;
    reached = nextId(reached, id);
    if (id !== null && id <= IMPORTED_ID_MAX) highest = Math.max(highest, id);
  }
  return {
    highest,
    lastAfter: (before) => Math.max(before + count, reached, before === 0 ? lastIfEmpty : 0),
  };
}

/** Runs an `insert` of one row into a table with ids. @returns the new id */
export function insertOne(sql: Sql, insert: Fragment): Promise<number> {
  return engines[sql.engine].insertOne(sql, insert);
}

/** Where new ids are to be used. */
export interface NewIdsOptions {
  /** The ids that this transaction has reserved ({@link reserveIds}). */
  readonly reserved?: ReservedIds;
  /** A dry run gets ids that nobody has reserved, and stores nothing. */
  readonly isDry?: boolean;
}

/** Assigns ids to imported records, which keep their own where possible. */
export class NewIds {
  readonly #sql: Sql;
  readonly #table: string;
  readonly #engine: EngineIds;
  /** Drawn ids that are not taken yet; undefined where the ids are counted on from the last one. */
  readonly #drawn: number[] | undefined;
  /** The last id from before this transaction. */
  readonly before: number;
  #last: number;

  private constructor(
    sql: Sql,
    engine: EngineIds,
    table: string,
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
    table: string,
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

  /** @param importedId the id that a record has elsewhere: it is kept if it is above every id ever assigned */
  take(importedId: number | null): number {
    if (this.#drawn === undefined) this.#last = nextId(this.#last, importedId);
    else {
      const id = this.#drawn.shift();
      if (id === undefined) throw new Error("ids are taken that were not prepared");
      this.#last = id;
    }
    return this.#last;
  }

  /** The last step. @param last an id that counts as assigned, too */
  async finish(last = 0): Promise<void> {
    const highest = Math.max(this.#last, last <= IMPORTED_ID_MAX ? last : 0);
    if (highest > this.before) await this.#engine.advance(this.#sql, this.#table, highest);
  }
}

function nextId(last: number, importedId: number | null): number {
  return importedId !== null && importedId > last && importedId <= IMPORTED_ID_MAX ? importedId : last + 1;
}

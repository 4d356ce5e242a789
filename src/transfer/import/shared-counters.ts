import type { Sql } from "../../database/database.ts";
import type { Shared } from "../../kept/import-run.ts";

/** What several kinds of records count together in one transaction. */
export class SharedCounters {
  readonly #shared = new Map<new () => Shared, Shared>();

  /** The one object of a class in this transaction. */
  shared<T extends Shared>(of: new () => T): T {
    const known = (this.#shared.get(of) as T | undefined) ?? new of();
    this.#shared.set(of, known);
    return known;
  }

  /** Stores them, in the order of their names, so that no two transactions wait for each other. */
  async storeShared(sql: Sql): Promise<void> {
    const inOrder = [...this.#shared.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
    for (const shared of inOrder) await shared.store(sql);
  }
}

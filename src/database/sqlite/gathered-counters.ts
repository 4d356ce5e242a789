import type { Sql } from "../database.ts";

/** The additions to counters of all pieces of work of a transaction, each counter of which is then written once. */
export class GatheredCounters {
  #sums = new Map<string, number>();

  add(name: string, n: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + n);
  }

  /** Forgets additions of work that is rolled back. */
  clear(): void {
    if (this.#sums.size > 0) this.#sums.clear();
  }

  store(sql: Sql): void {
    if (this.#sums.size === 0) return;
    const sums = this.#sums;
    // Replaced first, since the statement itself names the table.
    this.#sums = new Map();
    for (const [name, n] of sums)
      sql`
        insert into counters (name, slot, n) values (${name}, ${sql.slot}, ${n})
        on conflict (name, slot) do update set n = counters.n + excluded.n`;
  }
}

import type { Database } from "../../database/database.ts";

/** More writes than these, and more in a second, mean that others are writing. */
const MANY = 8;
const MANY_A_SECOND = 100;

/** Tells whether many writes were requested since it was last asked. */
export class RecentWrites {
  readonly #database: Pick<Database, "writeCount">;
  #last: number;
  #since = performance.now();

  constructor(database: Pick<Database, "writeCount">) {
    this.#database = database;
    this.#last = database.writeCount;
  }

  areMany(): boolean {
    const writes = this.#database.writeCount - this.#last;
    const seconds = (performance.now() - this.#since) / 1_000;
    this.#last += writes;
    this.#since = performance.now();
    return writes > MANY && writes > seconds * MANY_A_SECOND;
  }
}

import type { Awaitable } from "../awaitable.ts";
import type { Database, Stamp } from "./database.ts";

/**
 * Rows read since the last commit of any process. Commits empty SQLite's own cache of pages, so between two of them
 * a row that many requests need is read once. Where the stamp costs a round trip, each row is read anew.
 */
export class RowCache<Row> {
  readonly #database: Pick<Database, "stampNow">;
  readonly #capacity: number;
  readonly #rows = new Map<number, Row>();
  #stamp: Stamp | undefined;

  /** @param capacity how many rows are cached; when there are more, all are dropped */
  constructor(database: Pick<Database, "stampNow">, capacity: number) {
    this.#database = database;
    this.#capacity = capacity;
  }

  /** @param read reads the row; undefined when there is none, which is not cached */
  get(id: number, read: (id: number) => Promise<Row | undefined>): Awaitable<Row | undefined> {
    // Taken before the row is read: a commit in between makes the row too new for this stamp, which does no harm.
    const stamp = this.#database.stampNow();
    if (stamp === undefined) return read(id);
    if (stamp !== this.#stamp) {
      this.#rows.clear();
      this.#stamp = stamp;
    }
    return this.#rows.get(id) ?? this.#readInto(id, read, stamp);
  }

  async #readInto(id: number, read: (id: number) => Promise<Row | undefined>, stamp: Stamp) {
    const row = await read(id);
    if (row !== undefined && stamp === this.#stamp) {
      if (this.#rows.size >= this.#capacity) this.#rows.clear();
      this.#rows.set(id, row);
    }
    return row;
  }
}

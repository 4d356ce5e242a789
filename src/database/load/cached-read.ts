import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Database, Sql, Stamp } from "../database.ts";

/** Something small that many requests need: read again only after something was committed, by any process. */
export class CachedRead<T> {
  readonly #database: Database;
  readonly #read: (sql: Sql) => Awaitable<T>;
  #last: { readonly stamp: Stamp; readonly value: T } | undefined;

  constructor(database: Database, read: (sql: Sql) => Awaitable<T>) {
    this.#database = database;
    this.#read = read;
  }

  current(): Awaitable<T> {
    // Asked for before anything is read: what is committed meanwhile changes it.
    return thenSync(this.#database.stamp(), (stamp) => {
      if (this.#last?.stamp === stamp) return this.#last.value;
      return thenSync(this.#read(this.#database.read), (value) => {
        this.#last = { stamp, value };
        return value;
      });
    });
  }
}

import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Database, Sql, Stamp } from "../database.ts";
import type { Stamps } from "../moment.ts";

/** Something small that many requests need: read again only after something was committed, by any process. */
export class CachedRead<T> {
  readonly #database: Database;
  readonly #read: (sql: Sql) => Awaitable<T>;
  #last: { readonly stamp: Stamp; readonly value: T } | undefined;

  constructor(database: Database, read: (sql: Sql) => Awaitable<T>) {
    this.#database = database;
    this.#read = read;
  }

  /** @param stamps the moment of a request, where one is served */
  current(stamps: Stamps = this.#database): Awaitable<T> {
    // Asked for before anything is read: what is committed meanwhile changes it.
    const stamp = stamps.stamp();
    return stamp instanceof Promise ? stamp.then((stamp) => this.#at(stamp)) : this.#at(stamp);
  }

  #at(stamp: Stamp): Awaitable<T> {
    if (this.#last?.stamp === stamp) return this.#last.value;
    return thenSync(this.#read(this.#database.read), (value) => {
      this.#last = { stamp, value };
      return value;
    });
  }
}

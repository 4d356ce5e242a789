import { type Awaitable, thenSync } from "../awaitable.ts";
import type { Database, Sql, Stamp } from "./database.ts";
import type { Stamps } from "./request-stamp.ts";

/** A small value that many requests need, read again only after a commit of any process. */
export class CachedRead<T> {
  readonly #database: Database;
  readonly #read: (sql: Sql) => Awaitable<T>;
  #last: { readonly stamp: Stamp; readonly value: T } | undefined;

  constructor(database: Database, read: (sql: Sql) => Awaitable<T>) {
    this.#database = database;
    this.#read = read;
  }

  /** @param stamps the stamp of the request that is served, if there is one */
  current(stamps: Stamps = this.#database): Awaitable<T> {
    // Taken before the read, so that a commit during the read invalidates the value.
    return thenSync(stamps.stamp(), (stamp) => this.#at(stamp));
  }

  #at(stamp: Stamp): Awaitable<T> {
    if (this.#last?.stamp === stamp) return this.#last.value;
    return thenSync(this.#read(this.#database.read), (value) => {
      this.#last = { stamp, value };
      return value;
    });
  }
}

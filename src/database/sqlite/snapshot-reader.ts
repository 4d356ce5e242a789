import type { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../../awaitable.ts";
import type { Sql } from "../database.ts";
import { connect, createSql } from "./connection.ts";
import { sqliteRefusal } from "./errors.ts";

/** Runs reads that all see the same snapshot, one set at a time, on a connection that is opened on first use. */
export class SnapshotReader {
  readonly #location: string;
  #connection: DatabaseSync | undefined;
  #sql: Sql | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(location: string) {
    this.#location = location;
  }

  read<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    const result = this.#last.then(() => this.#transact(work));
    this.#last = result.catch(() => {});
    return result;
  }

  /** Waits for the reads in flight. */
  async close(): Promise<void> {
    await this.#last;
    this.#connection?.close();
  }

  async #transact<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    const { connection, sql } = this.#open();
    connection.exec("begin");
    try {
      return await work(sql);
    } finally {
      connection.exec("rollback");
    }
  }

  #open(): { readonly connection: DatabaseSync; readonly sql: Sql } {
    try {
      this.#connection ??= connect(this.#location, { readOnly: true });
      this.#sql ??= createSql(this.#connection);
      return { connection: this.#connection, sql: this.#sql };
    } catch (error) {
      throw sqliteRefusal(error);
    }
  }
}

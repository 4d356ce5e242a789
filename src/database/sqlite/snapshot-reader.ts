import type { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../../awaitable.ts";
import type { Sql } from "../database.ts";
import { connect, createSql } from "./connection.ts";
import { sqliteRefusal } from "./errors.ts";

/** The maximum number of concurrent snapshots. Reads are synchronous, so only work that waits meanwhile needs a second one. */
const CONNECTIONS_MAX = 3;

interface Connection {
  readonly connection: DatabaseSync;
  readonly sql: Sql;
}

/** Runs reads that all see the same snapshot, on a few connections: one from the beginning, the others on demand. */
export class SnapshotReader {
  readonly #location: string;
  readonly #refusal: (error: unknown) => unknown;
  readonly #open: Connection[] = [];
  readonly #free: Connection[] = [];
  readonly #reads = new Set<Promise<unknown>>();
  readonly #waiting: ((free: Connection) => void)[] = [];

  /**
   * @param refusal what a failed read throws
   * @throws StartError, or SQLite's own error, when the file cannot be read
   */
  constructor(location: string, refusal: (error: unknown) => unknown = sqliteRefusal) {
    this.#location = location;
    this.#refusal = refusal;
    this.#free.push(this.#connect());
  }

  read<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    const result = this.#transact(work);
    const ended = result.then(
      () => {},
      () => {},
    );
    this.#reads.add(ended);
    ended.then(() => this.#reads.delete(ended));
    return result;
  }

  /** Waits for the reads in flight. */
  async close(): Promise<void> {
    await Promise.all(this.#reads);
    for (const { connection } of this.#open) connection.close();
  }

  async #transact<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    const taken = await this.#take();
    const { connection, sql } = taken;
    try {
      connection.exec("begin");
      return await work(sql);
    } finally {
      this.#end(taken);
    }
  }

  #end(taken: Connection): void {
    try {
      if (taken.connection.isTransaction) taken.connection.exec("rollback");
    } finally {
      this.#give(taken);
    }
  }

  #take(): Awaitable<Connection> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#open.length < CONNECTIONS_MAX)
      try {
        return this.#connect();
      } catch {
        // The rights to the file were taken away, for example: the connections that are open go on.
      }
    const { promise, resolve } = Promise.withResolvers<Connection>();
    this.#waiting.push(resolve);
    return promise;
  }

  #give(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(connection);
    else next(connection);
  }

  #connect(): Connection {
    const connection = connect(this.#location, { readOnly: true });
    try {
      // Opens the log, too, which needs rights as well.
      connection.exec("select count(*) from sqlite_schema");
    } catch (error) {
      connection.close();
      throw error;
    }
    const opened = { connection, sql: createSql(connection, undefined, this.#refusal) };
    this.#open.push(opened);
    return opened;
  }
}

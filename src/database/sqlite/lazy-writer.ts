import type { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../../awaitable.ts";
import { Refusal } from "../../errors.ts";
import type { Sql } from "../database.ts";
import { connect } from "./connection.ts";
import { sqliteRefusal } from "./errors.ts";
import { SqliteWriter, type WriterHooks } from "./writer.ts";

/**
 * Writes derived data on a connection of its own, without fsync. The write-ahead log keeps the order of commits: a
 * later durable commit syncs these writes, too, and a power cut loses only the latest of them.
 */
export class LazyWriter {
  readonly #location: string;
  readonly #lockWait: number;
  readonly #hooks: WriterHooks;
  #connection: DatabaseSync | undefined;
  #writer: SqliteWriter | undefined;
  #isClosed = false;

  constructor(location: string, lockWait: number, hooks: WriterHooks) {
    this.#location = location;
    this.#lockWait = lockWait;
    this.#hooks = hooks;
  }

  async write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    if (this.#isClosed) throw new Refusal("unavailable", "The server is shutting down.");
    this.#writer ??= this.#open();
    return await this.#writer.write(work);
  }

  /** Finishes the writes in progress, then closes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writer?.finish();
    this.#connection?.close();
  }

  #open(): SqliteWriter {
    try {
      const connection = connect(this.#location, { readOnly: false });
      // The durable connection runs the checkpoints. Without journals in memory, savepoints would use a file, which
      // takes most of the time of an insert.
      connection.exec(
        "pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma temp_store = memory",
      );
      this.#connection = connection;
      return new SqliteWriter(connection, this.#lockWait, this.#hooks);
    } catch (error) {
      throw sqliteRefusal(error);
    }
  }
}

import type { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../../awaitable.ts";
import { Refusal } from "../../errors.ts";
import type { Sql } from "../database.ts";
import { connect } from "./connection.ts";
import { sqliteRefusal } from "./errors.ts";
import { SqliteWriter, type WriterHooks } from "./writer.ts";

/**
 * Writes what can be derived again, on a connection of its own that does not wait for the disk. The write-ahead
 * log keeps the order: whatever a later durable commit rests on is on the disk with it, and after a power cut
 * the last of these writes are missing together with nothing else.
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

  /** Finishes what is under way, then closes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writer?.finish();
    this.#connection?.close();
  }

  #open(): SqliteWriter {
    try {
      const connection = connect(this.#location, { readOnly: false });
      // Checkpoints are made on the other connection, which does wait for the disk.
      // What a savepoint could undo would otherwise go through a file, which takes most of the time of an insert.
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

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Sql } from "./database.ts";
import { speak } from "./sqlite-connection.ts";

/** The words of the header of the write-ahead log's index. */
const HEADER_WORDS = 12;

/**
 * Reads share a snapshot as long as nobody commits, and within one turn of the event loop, so that none is held
 * open for long. Beginning and ending a read transaction costs two system calls, several times what a look-up
 * within it does; whether the snapshot is still the newest state costs a look into shared memory.
 */
export class SqliteReader {
  readonly read: Sql;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #version: StatementSync;
  readonly #index: Uint32Array;
  readonly #seen = new Uint32Array(HEADER_WORDS);
  #open = false;

  /** @param connection to a database in write-ahead mode that another connection has opened for writing */
  constructor(connection: DatabaseSync, location: string) {
    this.#begin = connection.prepare("begin");
    this.#commit = connection.prepare("commit");
    this.#version = connection.prepare("pragma data_version");
    // Read once, so that the index is there.
    this.#version.get();
    this.#index = new Uint32Array(Bun.mmap(`${location}-shm`).buffer, 0, HEADER_WORDS);
    const sql = speak(connection);
    const read = <Row>(...call: Parameters<Sql>) => {
      this.#ensureNewest();
      return sql<Row>(...call);
    };
    this.read = Object.assign(read, { slot: 0 });
  }

  /** Differs when any other connection has committed, and this one only reads (sqlite.org/pragma.html). */
  version(): number {
    this.#ensureNewest();
    return Number(this.#version.get()?.data_version);
  }

  /** Ends the snapshot; the next read begins another. */
  readonly end = (): void => {
    if (!this.#open) return;
    this.#open = false;
    this.#commit.run();
  };

  #ensureNewest(): void {
    if (this.#open) {
      if (this.#isNewest()) return;
      this.end();
    } else setImmediate(this.end);
    // Noted before the snapshot is taken: what is committed in between only ends it sooner.
    this.#seen.set(this.#index);
    this.#begin.run();
    this.#open = true;
  }

  /**
   * Whether nobody has committed since: the change counter, the number of frames and the checksum in the header
   * of the write-ahead log's index are the same (sqlite.org/walformat.html, section 2.1).
   */
  #isNewest(): boolean {
    const index = this.#index;
    const seen = this.#seen;
    return index[2] === seen[2] && index[4] === seen[4] && index[10] === seen[10] && index[11] === seen[11];
  }
}

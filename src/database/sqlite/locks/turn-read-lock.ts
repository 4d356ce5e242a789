import type { DatabaseSync, StatementSync } from "node:sqlite";

/** After this many statements in one turn more are likely to follow; holding the lock takes as long as one of them. */
const STATEMENTS_BEFORE = 2;

/**
 * Holds SQLite's read lock until the end of a turn of the event loop, on a connection of its own. A process takes this
 * lock once for all its connections: while one of them has it, the statements of the others need no system call. Each
 * statement still reads in a transaction of its own and sees all earlier commits, so nothing but speed depends on the
 * held lock (decision 006).
 */
export class TurnReadLock {
  readonly #connection: DatabaseSync;
  readonly #read: StatementSync;
  /** In this turn, since the lock was last released. */
  #statements = 0;
  #isTurnCounted = false;

  /** @param connection a connection for this alone */
  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    // Needs no schema, so this connection takes little memory.
    this.#read = connection.prepare("pragma data_version");
  }

  /** To be called before each statement. Never throws. */
  beforeStatement(): void {
    if (!this.#isTurnCounted) {
      this.#isTurnCounted = true;
      setImmediate(this.#endTurn);
    }
    if (this.#statements++ === STATEMENTS_BEFORE) this.#hold();
  }

  /** Releases the lock, which would keep the log from starting over. It may be held again in the same turn. */
  release(): void {
    this.#statements = 0;
    try {
      if (this.#connection.isTransaction) this.#connection.exec("commit");
    } catch {
      // A connection too broken to end its transaction does not begin another one.
    }
  }

  close(): void {
    this.release();
    this.#connection.close();
  }

  readonly #endTurn = (): void => {
    this.#isTurnCounted = false;
    this.release();
  };

  #hold(): void {
    try {
      this.#connection.exec("begin");
      this.#read.get();
    } catch {
      // The statement that follows reports what is wrong with the database, if it fails, too.
    }
  }
}

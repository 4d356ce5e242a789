import type { DatabaseSync } from "node:sqlite";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../../awaitable.ts";
import { Refusal } from "../../errors.ts";
import type { DatabaseObserver, Sql } from "../database.ts";
import { createSql } from "./connection.ts";
import { isBusy, sqliteRefusal } from "./errors.ts";

/** How many pieces of work share one transaction at most, so that no commit keeps readers waiting long. */
const BATCH_MAX = 512;

/** How long to pause, at most, before the lock is tried again, in milliseconds. */
const PAUSE_MAX = 25;

interface Piece {
  /** When it has waited long enough for another process, by the monotonic clock. */
  readonly deadline: number;
  readonly work: (sql: Sql) => Awaitable<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/**
 * Group commit: the pieces of work that wait together share one transaction, each in a savepoint of its
 * own, and one fsync. None is answered before the fsync; one that throws undoes only itself.
 */
export class SqliteWriter {
  readonly #connection: DatabaseSync;
  readonly #sql: Sql;
  readonly #lockWait: number;
  readonly #endTransaction: (pieces: number) => void;
  readonly #waiting: Piece[] = [];
  #committing: Promise<void> | undefined;
  #finished = false;

  /** @param lockWait how long, in milliseconds, to wait for another process that holds the lock */
  constructor(connection: DatabaseSync, lockWait: number, observer?: DatabaseObserver) {
    this.#connection = connection;
    this.#sql = createSql(connection);
    this.#lockWait = lockWait;
    const endTransaction = () => connection.exec("commit");
    this.#endTransaction = observer ? timed(endTransaction, observer) : endTransaction;
  }

  write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    if (this.#finished) return Promise.reject(new Refusal("unavailable", "The server is shutting down."));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const deadline = performance.now() + this.#lockWait;
    this.#waiting.push({ deadline, work, resolve: (result) => resolve(result as T), reject });
    this.#committing ??= this.#commitWaiting();
    return promise;
  }

  /** Commits what waits, and takes no more. */
  async finish(): Promise<void> {
    this.#finished = true;
    await this.#committing;
  }

  async #commitWaiting(): Promise<void> {
    // A turn of the event loop before each batch: the requests that arrived together join it, and
    // readers are served between two commits.
    do {
      await setImmediate();
      if (await this.#begin()) await this.#commit(this.#waiting.splice(0, BATCH_MAX));
    } while (this.#waiting.length > 0);
    this.#committing = undefined;
  }

  /** Takes the write lock; false when every piece has waited for it in vain. */
  async #begin(): Promise<boolean> {
    for (let pause = 1; this.#waiting.length > 0; pause = Math.min(pause * 2, PAUSE_MAX)) {
      try {
        this.#connection.exec("begin immediate");
        return true;
      } catch (error) {
        this.#giveUp(error, isBusy(error) ? performance.now() : Number.POSITIVE_INFINITY);
        if (this.#waiting.length > 0) await sleep(pause);
      }
    }
    return false;
  }

  /** Rejects the pieces whose time to wait is over at `now`. */
  #giveUp(error: unknown, now: number): void {
    while (this.#waiting[0] !== undefined && this.#waiting[0].deadline <= now)
      this.#waiting.shift()?.reject(sqliteRefusal(error));
  }

  async #commit(batch: readonly Piece[]): Promise<void> {
    try {
      const outcomes: Outcome[] = [];
      for (const piece of batch) outcomes.push(await this.#perform(piece));
      this.#endTransaction(batch.length);
      batch.forEach((piece, index) => {
        settle(piece, outcomes[index]);
      });
    } catch (error) {
      for (const { reject } of batch) reject(sqliteRefusal(error));
      this.#rollBack();
    }
  }

  #rollBack(): void {
    try {
      if (this.#connection.isTransaction) this.#connection.exec("rollback");
    } catch {
      // What is broken enough not to roll back says so at the next `begin`.
    }
  }

  /** @throws what made SQLite give up the whole transaction, as it does when the disk is full */
  async #perform({ work }: Piece): Promise<Outcome> {
    this.#sql`savepoint piece`;
    try {
      const result = await work(this.#sql);
      this.#sql`release piece`;
      return { result };
    } catch (error) {
      if (!this.#connection.isTransaction) throw error;
      this.#sql`rollback to piece`;
      this.#sql`release piece`;
      return { error };
    }
  }
}

function timed(endTransaction: () => void, observer: DatabaseObserver): (pieces: number) => void {
  return (pieces) => {
    const started = performance.now();
    endTransaction();
    observer.committed(pieces, performance.now() - started);
  };
}

function settle(piece: Piece, outcome: Outcome | undefined): void {
  if (outcome && "result" in outcome) piece.resolve(outcome.result);
  else piece.reject(outcome?.error);
}

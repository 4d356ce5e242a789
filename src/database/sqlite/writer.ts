import type { DatabaseSync } from "node:sqlite";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../../awaitable.ts";
import { Refusal } from "../../errors.ts";
import { timeLimit } from "../../time-limit.ts";
import type { DatabaseObserver, Sql } from "../database.ts";
import { NeedsRepair } from "../errors.ts";
import { createSql } from "./connection.ts";
import { isBusy, mayBeDamage, sqliteRefusal } from "./errors.ts";

/** A transaction takes no more pieces of work after this long, so that it does not delay readers, in milliseconds. */
const BATCH_MS = 50;

/**
 * Longest pause before the lock is retried, in milliseconds. SQLite's lock is not fair: a process that retries less
 * often than others commit loses repeatedly, and its writers wait for up to a quarter of a second (decision 002).
 */
const PAUSE_MAX = 2;

interface Piece {
  /** Whether it was rolled back with others, and runs in a savepoint now. */
  isRepeated: boolean;
  /** Whether what it needs was repaired: it is not tried twice. */
  isRepaired?: boolean;
  /** When it gives up waiting for another process, by the monotonic clock. */
  readonly deadline: number;
  readonly work: (sql: Sql) => Awaitable<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Hooks around each commit. */
export interface WriterHooks {
  readonly observer?: DatabaseObserver | undefined;
  /** Called before the commit; when it throws, nothing is committed and every piece of the batch is rejected. */
  readonly beforeCommit?: () => void;
  readonly afterCommit?: () => void;
  /** Called after a repair that work needed. */
  readonly afterRepair?: (needed: NeedsRepair) => void;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/**
 * Group commit: pieces of work (*writes* in `database.ts`) that wait together share one transaction and one fsync. None resolves before the
 * fsync; one that throws rolls back only its own changes.
 */
export class SqliteWriter {
  readonly #connection: DatabaseSync;
  readonly #sql: Sql;
  readonly #repeatedSql: Sql;
  readonly #lockWait: number;
  readonly #endTransaction: (pieces: number) => void;
  readonly #afterCommit: () => void;
  readonly #afterRepair: (needed: NeedsRepair) => void;
  readonly #waiting: Piece[] = [];
  readonly #reads = new WeakMap<TemplateStringsArray, boolean>();
  /** Whether the current piece of work may have changed something. */
  #hasWritten = false;
  #committing: Promise<void> | undefined;
  #finished = false;

  /** @param lockWait how long to wait for another process's lock, in milliseconds */
  constructor(
    connection: DatabaseSync,
    lockWait: number,
    { observer, beforeCommit = () => {}, afterCommit = () => {}, afterRepair = () => {} }: WriterHooks = {},
  ) {
    this.#connection = connection;
    this.#sql = createSql(connection, (text) => this.#noteWrite(text));
    this.#repeatedSql = Object.assign(createSql(connection), { isRepeated: true });
    this.#lockWait = lockWait;
    const endTransaction = () => {
      beforeCommit();
      connection.exec("commit");
    };
    this.#endTransaction = observer ? timed(endTransaction, observer) : endTransaction;
    this.#afterCommit = afterCommit;
    this.#afterRepair = afterRepair;
  }

  write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    if (this.#finished) return Promise.reject(new Refusal("unavailable", "The server is shutting down."));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const deadline = performance.now() + this.#lockWait;
    this.#waiting.push({
      isRepeated: false,
      deadline,
      work,
      resolve: (result) => resolve(result as T),
      reject,
    });
    this.#committing ??= this.#commitWaiting();
    return promise;
  }

  /** Commits the waiting work, then takes no more. */
  async finish(): Promise<void> {
    this.#finished = true;
    await this.#committing;
  }

  async #commitWaiting(): Promise<void> {
    // One turn of the event loop before each batch: requests that arrived together join it, and readers are
    // served between two commits.
    do {
      await setImmediate();
      if (await this.#begin()) await this.#commit(this.#waiting.splice(0));
    } while (this.#waiting.length > 0);
    this.#committing = undefined;
  }

  /** Takes the write lock; false when every piece of work has timed out. */
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

  /** Rejects the pieces of work that have timed out at `now`. */
  #giveUp(error: unknown, now: number): void {
    while (this.#waiting[0] !== undefined && this.#waiting[0].deadline <= now)
      this.#waiting.shift()?.reject(sqliteRefusal(error));
  }

  async #commit(batch: Piece[]): Promise<void> {
    const isRepeated = batch.some((piece) => piece.isRepeated);
    try {
      const outcomes = await (isRepeated ? this.#performApart(batch) : this.#performTogether(batch));
      if (outcomes === undefined) return;
      this.#waiting.unshift(...batch.splice(outcomes.length));
      this.#endTransaction(batch.length);
      batch.forEach((piece, index) => {
        settle(piece, outcomes[index]);
      });
      this.#afterCommit();
    } catch (error) {
      this.#rollBack();
      if (error instanceof NeedsRepair) await this.#repair(error, batch);
      else if (!isRepeated && mayBeDamage(error)) this.#repeat(batch);
      else rejectAll(batch, error);
    }
  }

  /** Repairs what a piece of a batch needs, in a separate transaction, after which the batch waits to be run again. */
  async #repair(needed: NeedsRepair, batch: readonly Piece[]): Promise<void> {
    let failure = needed.cause;
    if (!batch.some(({ isRepaired }) => isRepaired))
      for (const isLast of [false, true])
        try {
          this.#connection.exec("begin immediate");
          await needed.repair(this.#sql, isLast);
          this.#endTransaction(1);
          this.#afterCommit();
          this.#afterRepair(needed);
          for (const piece of batch) piece.isRepaired = true;
          return this.#repeat(batch);
        } catch (error) {
          this.#rollBack();
          failure = error;
        }
    rejectAll(batch, failure);
  }

  /**
   * Runs pieces without savepoints, in which SQLite would copy each page before its first change. When one fails after
   * a change, the whole transaction is rolled back, and the others wait to be run again.
   *
   * @returns undefined when it was rolled back
   */
  async #performTogether(batch: readonly Piece[]): Promise<Outcome[] | undefined> {
    const outcomes: Outcome[] = [];
    for (const piece of whileInTime(batch)) {
      this.#hasWritten = false;
      // Most pieces need not be awaited, which saves a promise for each.
      const performed = this.#perform(piece, this.#sql);
      const outcome = performed instanceof Promise ? await performed : performed;
      if ("error" in outcome && outcome.error instanceof NeedsRepair) throw outcome.error;
      if ("error" in outcome && (this.#hasWritten || mayBeDamage(outcome.error))) {
        this.#rollBack();
        if (batch.length === 1 && !mayBeDamage(outcome.error)) settle(piece, outcome);
        else this.#repeat(batch);
        return undefined;
      }
      outcomes.push(outcome);
    }
    return outcomes;
  }

  #repeat(batch: readonly Piece[]): void {
    for (const piece of batch) piece.isRepeated = true;
    this.#waiting.unshift(...batch);
  }

  /** Runs pieces in a savepoint each: one that fails rolls back its own changes only. */
  async #performApart(batch: readonly Piece[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const piece of whileInTime(batch)) {
      this.#repeatedSql`savepoint piece`;
      const outcome = await this.#perform(piece, this.#repeatedSql);
      if ("error" in outcome && outcome.error instanceof NeedsRepair) throw outcome.error;
      if ("error" in outcome) this.#repeatedSql`rollback to piece`;
      this.#repeatedSql`release piece`;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /** @throws the error that made SQLite roll back the whole transaction, such as a full disk */
  #perform({ work }: Piece, sql: Sql): Awaitable<Outcome> {
    try {
      const result = work(sql);
      return result instanceof Promise ? result.then(asOutcome, this.#fail) : { result };
    } catch (error) {
      return this.#fail(error);
    }
  }

  readonly #fail = (error: unknown): Outcome => {
    if (!this.#connection.isTransaction) throw error;
    return { error };
  };

  #noteWrite(text: TemplateStringsArray): void {
    let isRead = this.#reads.get(text);
    if (isRead === undefined) {
      isRead = (text[0] ?? "").trimStart().startsWith("select ");
      this.#reads.set(text, isRead);
    }
    if (!isRead) this.#hasWritten = true;
  }

  #rollBack(): void {
    try {
      if (this.#connection.isTransaction) this.#connection.exec("rollback");
    } catch {
      // A connection too broken to roll back fails at the next `begin`.
    }
  }
}

/** The pieces of a batch, up to the one that has taken its time. */
function* whileInTime(batch: readonly Piece[]): Generator<Piece> {
  const until = performance.now() + timeLimit(BATCH_MS);
  for (const piece of batch) {
    yield piece;
    if (performance.now() > until) return;
  }
}

function rejectAll(batch: readonly Piece[], error: unknown): void {
  for (const { reject } of batch) reject(sqliteRefusal(error));
}

function asOutcome(result: unknown): Outcome {
  return { result };
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

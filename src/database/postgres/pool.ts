import { setTimeout as sleep } from "node:timers/promises";
import { type ReservedSQL, SQL } from "bun";
import { Refusal } from "../../errors.ts";
import type { DatabaseObserver, DatabaseState, Value } from "../database.ts";
import { type Bound, flatten } from "../fragment.ts";
import { padded } from "../padded.ts";
import { isUnreachable } from "./errors.ts";
import { WriterSlots } from "./slots.ts";
import { TimeoutError, Timeouts } from "./timeouts.ts";

/** How much longer than a statement may take the server's answer is waited for, in milliseconds. */
const GRACE = 1_000;

/** After a server could not be reached it is left in peace for so long, in milliseconds. */
const REST = 250;

/** How long one writer may keep others waiting for a lock, in milliseconds. */
const LOCK_TIMEOUT = 2_000;

/** What the server knows these connections by. */
const NAME = "commonplace";

export interface PostgresOptions {
  /** The most connections of this process. */
  readonly poolSize: number;
  /** Milliseconds after which a connection that is not there is given up. */
  readonly connectTimeout: number;
  /** Milliseconds after which the server cancels a statement. */
  readonly statementTimeout: number;
  readonly observer?: DatabaseObserver | undefined;
}

/** A connection that one writer has to itself, and the slot of the counters that goes with it. */
export interface WriterConnection {
  readonly sql: ReservedSQL;
  readonly slot: number;
  /** Gives it back; one that is lost is made anew when it is wanted. */
  release(): void;
}

/**
 * The connections of this process: made when they are wanted, and made anew when they break. What the server
 * does not answer is given up, and a server that cannot be reached is not stormed.
 */
export class PostgresPool {
  readonly timeouts: Timeouts;
  readonly observer: DatabaseObserver | undefined;
  readonly #url: string;
  readonly #options: PostgresOptions;
  readonly #slots: WriterSlots;
  #pool: SQL;
  #restingUntil = 0;

  constructor(url: string, options: PostgresOptions) {
    this.#url = url;
    this.#options = options;
    this.observer = options.observer;
    this.timeouts = new Timeouts(options.statementTimeout + GRACE);
    // A quarter of the connections is for reading alone: writers that all wait do not make readers wait.
    this.#slots = new WriterSlots(Math.ceil(options.poolSize * 0.75));
    this.#pool = this.#open();
  }

  get state(): NonNullable<DatabaseState["pool"]> {
    return { size: this.#options.poolSize, ...this.#slots.state, asked: this.timeouts.size };
  }

  /** Runs one statement on any connection; those of several callers follow each other without a pause. */
  async query<Row>(text: TemplateStringsArray, ...values: readonly Bound[]): Promise<Row[]> {
    const pool = this.#reachable();
    try {
      return await this.timeouts.withTimeout<Row[]>(send(pool, text, values));
    } catch (error) {
      // Which of the connections is silent cannot be told: all are replaced, and those that are well finish.
      if (error instanceof TimeoutError) this.#replace(pool);
      this.noteFailure(error);
      throw error;
    }
  }

  /** A connection for one writer, who waits for it when all are taken. */
  async reserve(): Promise<WriterConnection> {
    const pool = this.#reachable();
    const slot = await this.#take(this.#slots.take(), (late) => this.#slots.give(late));
    try {
      const sql = await this.#take(pool.reserve(), (late) => late.release());
      const release = () => {
        sql.release();
        this.#slots.give(slot);
      };
      return { sql, slot, release };
    } catch (error) {
      this.#slots.give(slot);
      this.noteFailure(error);
      throw error;
    }
  }

  /** To be told of what went wrong on a connection that was reserved. */
  noteFailure(error: unknown): void {
    if (isUnreachable(error)) this.#restingUntil = performance.now() + REST;
  }

  /** Whether the server has a commit of this role that takes long, such as one that waits for a standby. */
  async hasWaitingCommit(): Promise<boolean> {
    const waiting = this.query`
      select pid from pg_stat_activity where application_name = ${NAME} and state = 'active' and query = 'commit'
        and state_change < clock_timestamp() - interval '1 second' limit 1`;
    return (await waiting).length > 0;
  }

  /**
   * Finishes what is under way, for as long as a statement may take. What is not finished then is left to the
   * end of the process: the driver would cancel it, and with it a commit that waits for a standby.
   */
  async close(): Promise<void> {
    const { statementTimeout } = this.#options;
    await Promise.race([this.#pool.close(), sleep(statementTimeout, undefined, { ref: false })]);
  }

  #open(): SQL {
    const { poolSize, connectTimeout, statementTimeout } = this.#options;
    return new SQL({
      url: this.#url,
      adapter: "postgres",
      max: poolSize,
      connectionTimeout: connectTimeout / 1000,
      connection: {
        application_name: NAME,
        statement_timeout: statementTimeout,
        lock_timeout: LOCK_TIMEOUT,
        // A process that was cut off from the server does not keep its locks.
        idle_in_transaction_session_timeout: statementTimeout,
      },
    });
  }

  #reachable(): SQL {
    if (performance.now() >= this.#restingUntil) return this.#pool;
    throw new Refusal("unavailable", "The database cannot be reached at the moment.", { retryAfter: 1 });
  }

  #replace(pool: SQL): void {
    if (this.#pool !== pool) return;
    this.#pool = this.#open();
    // Without a time-out: see close().
    void pool.close();
  }

  /** Waits for something that is to be had, but not for ever; should it come too late, it is given back. */
  async #take<T>(coming: Promise<T>, giveBack: (late: T) => void): Promise<T> {
    try {
      return await this.timeouts.withTimeout(coming);
    } catch (error) {
      if (error instanceof TimeoutError) coming.then(giveBack, () => {});
      throw error;
    }
  }
}

/** Sends a statement with its values as the driver binds them, lists as it spells them out. */
export function send<Row>(
  sql: SQL,
  template: TemplateStringsArray,
  given: readonly Bound[],
): SQL.Query<Row[]> {
  const { text, values } = flatten(template, given);
  return sql<Row[]>(text, ...values.map((value) => (isList(value) ? sql(padded(value)) : value)));
}

function isList(value: Value | readonly number[]): value is readonly number[] {
  return Array.isArray(value);
}

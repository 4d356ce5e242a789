import { setTimeout as sleep } from "node:timers/promises";
import type { ReservedSQL, SQL } from "bun";
import { Refusal } from "../../errors.ts";
import { timeLimit } from "../../time-limit.ts";
import type { DatabaseObserver, DatabaseState, Value } from "../database.ts";
import { type Bound, flatten } from "../fragment.ts";
import { padToPowerOfTwo } from "../pad-to-power-of-two.ts";
import { connect } from "./connect.ts";
import { isConnectionLoss, isReadOnly, isUnreachable } from "./errors.ts";
import { type Hosts, NoHost } from "./hosts.ts";
import { Semaphore } from "./semaphore.ts";
import { TimeoutError, Timeouts } from "./timeouts.ts";

/** The client waits this much longer than the statement timeout, in milliseconds. */
const TIMEOUT_MARGIN_MS = 1_000;

/** Back-off after a failed connection, in milliseconds. */
const BACK_OFF_MS = 250;

/** PostgreSQL's `lock_timeout`, in milliseconds. */
const LOCK_TIMEOUT_MS = 2_000;

/** The settings of connections that only read. */
export const READ_ONLY_SESSION = { default_transaction_read_only: "on" } as const;

/** The `application_name` of these connections. */
const NAME = "commonplace";
/** The `application_name` of connections that prepare a schema: they wait for each other. */
export const PREPARING = "commonplace start";

export interface PostgresOptions {
  /** Maximum number of connections of this pool. A process has four pools, and one for each standby. */
  readonly poolSize: number;
  /** Whether all connections may be reserved: nothing else runs on them. */
  readonly isReserved?: boolean;
  /** Connection timeout, in milliseconds. */
  readonly connectTimeout: number;
  /** Statement timeout of the server, in milliseconds. */
  readonly statementTimeout: number;
  /** Whether nothing is written, by choice. */
  readonly isReadOnly?: boolean | undefined;
  /** A URL of standbys that may answer reads: `DATABASE_READ_URL`. */
  readonly readUrl?: string | undefined;
  readonly observer?: DatabaseObserver | undefined;
}

/** A connection reserved for one writer, and its slot of the counters. */
export interface WriterConnection {
  readonly sql: ReservedSQL;
  readonly slot: number;
  /** Returns the connection to the pool; a broken one is replaced on demand. */
  release(): void;
}

/**
 * A connection pool; a process has four. The driver opens all connections when the first is needed, and replaces those that
 * break. Statements without a response time out, and an unreachable server is retried with a back-off.
 */
export class PostgresPool {
  readonly timeouts: Timeouts;
  readonly observer: DatabaseObserver | undefined;
  readonly #hosts: Hosts;
  readonly #options: PostgresOptions;
  readonly #writers: Semaphore;
  /** The URL of the host that the connections are to. */
  #url: string | undefined;
  #pool: SQL | undefined;
  #backOffUntil = 0;

  constructor(hosts: Hosts, options: PostgresOptions) {
    this.#hosts = hosts;
    this.#options = options;
    this.observer = options.observer;
    this.timeouts = new Timeouts(options.statementTimeout + timeLimit(TIMEOUT_MARGIN_MS));
    // A quarter of the connections, of several at least one, is for reads only, so that blocked writers do not block readers.
    const { poolSize, isReserved = false } = options;
    const users = isReserved ? poolSize : Math.max(1, Math.min(Math.ceil(poolSize * 0.75), poolSize - 1));
    this.#writers = new Semaphore(users);
  }

  get state(): NonNullable<DatabaseState["pool"]> {
    return { size: this.#options.poolSize, ...this.#writers.state, pendingStatements: this.timeouts.size };
  }

  /** Runs one statement on any connection; statements of several callers are pipelined. */
  async query<Row>(text: TemplateStringsArray, ...values: readonly Bound[]): Promise<Row[]> {
    const pool = this.#ready() ?? (await this.#open());
    try {
      return await this.timeouts.withTimeout<Row[]>(send(pool, text, values));
    } catch (error) {
      // Which connection timed out is unknown: all are replaced, and the healthy ones finish their work.
      if (error instanceof TimeoutError && this.#pool === pool) this.#connect(this.#url ?? "");
      this.noteFailure(error);
      throw error;
    }
  }

  /** Reserves a connection for one writer; waits when all are taken. */
  async reserve(): Promise<WriterConnection> {
    this.#refuseUnreachable();
    const slot = await this.#take(this.#writers.take(), (late) => this.#writers.give(late));
    try {
      const pool = this.#ready() ?? (await this.#open());
      const sql = await this.#take(pool.reserve(), (late) => late.release());
      const release = () => {
        sql.release();
        this.#writers.give(slot);
      };
      return { sql, slot, release };
    } catch (error) {
      this.#writers.give(slot);
      this.noteFailure(error);
      throw error;
    }
  }

  /**
   * Records an error on a reserved connection, so that an unreachable server starts the back-off, and another host is
   * looked for.
   */
  noteFailure(error: unknown): void {
    if (isConnectionLoss(error) || (isReadOnly(error) && this.#hosts.wantsWriter)) this.#hosts.doubt();
    if (isUnreachable(error)) this.#backOff();
  }

  /** Whether the server has a slow commit of this role, such as one waiting for a standby. */
  async hasWaitingCommit(): Promise<boolean> {
    const waiting = this.query`
      select pid from pg_stat_activity where application_name = ${NAME} and state = 'active' and query = 'commit'
        and state_change < clock_timestamp() - interval '1 second' limit 1`;
    return (await waiting).length > 0;
  }

  /**
   * Closes the pool, waiting at most the statement timeout. Work unfinished by then is left to the end of the
   * process: the driver would cancel it, and with it a commit that waits for a standby.
   */
  async close(): Promise<void> {
    const { statementTimeout } = this.#options;
    await Promise.race([this.#pool?.close(), sleep(statementTimeout, undefined, { ref: false })]);
  }

  /** The connections, where it is known which host they must be to. */
  #ready(): SQL | undefined {
    this.#refuseUnreachable();
    return this.#url === this.#hosts.current ? this.#pool : undefined;
  }

  /** @throws Refusal `unavailable` when no host is the right one */
  async #open(): Promise<SQL> {
    try {
      const url = await this.#hosts.find();
      return this.#pool !== undefined && url === this.#url ? this.#pool : this.#connect(url);
    } catch (error) {
      if (!(error instanceof NoHost)) throw error;
      this.#backOff();
      throw unreachable(error);
    }
  }

  /** Replaces the connections. */
  #connect(url: string): SQL {
    const { poolSize, connectTimeout, statementTimeout, isReadOnly } = this.#options;
    const before = this.#pool;
    const pool = connect(url, {
      max: poolSize,
      connectTimeout,
      settings: {
        application_name: NAME,
        statement_timeout: statementTimeout,
        lock_timeout: timeLimit(LOCK_TIMEOUT_MS),
        // Releases the locks of a process that was cut off from the server.
        idle_in_transaction_session_timeout: statementTimeout,
        ...(isReadOnly && READ_ONLY_SESSION),
      },
      onClose: () => {
        if (this.#pool === pool) this.#hosts.doubt();
      },
    });
    this.#pool = pool;
    this.#url = url;
    // Without a time-out: see close().
    void before?.close();
    return pool;
  }

  #refuseUnreachable(): void {
    if (performance.now() < this.#backOffUntil) throw unreachable();
  }

  #backOff(): void {
    this.#backOffUntil = performance.now() + BACK_OFF_MS;
  }

  /** Waits with a timeout; a resource that arrives too late is released. */
  async #take<T>(coming: Promise<T>, giveBack: (late: T) => void): Promise<T> {
    try {
      return await this.timeouts.withTimeout(coming);
    } catch (error) {
      if (error instanceof TimeoutError) coming.then(giveBack, () => {});
      throw error;
    }
  }
}

function unreachable(cause?: unknown): Refusal {
  return new Refusal("unavailable", "The database cannot be reached.", { retryAfter: 1, cause });
}

/** Sends a statement; lists of ids are expanded by the driver. */
export function send<Row>(
  sql: SQL,
  template: TemplateStringsArray,
  given: readonly Bound[],
): SQL.Query<Row[]> {
  const { text, values } = flatten(template, given);
  return sql<Row[]>(text, ...values.map((value) => (isList(value) ? sql(padToPowerOfTwo(value)) : value)));
}

function isList(value: Value | readonly number[]): value is readonly number[] {
  return Array.isArray(value);
}

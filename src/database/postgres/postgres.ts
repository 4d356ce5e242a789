import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../../awaitable.ts";
import { StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import {
  type Database,
  type DatabaseObserver,
  type DatabaseState,
  type DeriveOptions,
  posting,
  type Sql,
} from "../database.ts";
import { ReadTimeout } from "../errors/read-timeout.ts";
import type { Bound } from "../fragment.ts";
import { SingleFlight } from "../load/single-flight.ts";
import { checkSchema } from "../migrate.ts";
import { postgresMigrations } from "../migrations/postgres.ts";
import { isCanceled, isConflict, postgresRefusal } from "./errors.ts";
import { locationOf } from "./location.ts";
import { type PostgresOptions, PostgresPool } from "./pool.ts";
import { prepareSchema } from "./schema.ts";
import { ConnectionSlots } from "./slots.ts";
import { inSnapshot, inTransaction } from "./transaction.ts";
import { whyUnusable } from "./why-unusable.ts";

/** Attempts at a transaction or a read that conflicts with others. */
const ATTEMPTS = 10;

/**
 * Opens a PostgreSQL database and brings its schema up to date; any number of processes may do so at once.
 *
 * @param url with `sslmode` where TLS is wanted
 * @throws StartError when it cannot be reached, has another encoding than UTF-8, or needs a newer program
 */
export async function openPostgres(
  url: string,
  options: PostgresOptions & { readonly log?: Log | undefined },
): Promise<Database> {
  const location = locationOf(url);
  try {
    const { epoch, isReadOnly } = await prepareSchema(url, options);
    if (isReadOnly) options.log?.warn(`${location} is read-only (a standby?): writes get 503.`);
    const apart = new PostgresPool(url, {
      ...options,
      poolSize: APART_POOL_SIZE,
      statementTimeout: APART_TIMEOUT_MS,
      settings: APART_SETTINGS,
      observer: undefined,
    });
    const pool = new PostgresPool(url, options);
    const stamps = new PostgresPool(url, { ...options, poolSize: 1, observer: undefined });
    return new PostgresDatabase({ pool, apart, stamps, location, epoch });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `DATABASE_URL: ${location} cannot be used: ${await whyUnusable(url, error)}.`,
      1,
      error,
    );
  }
}

/** Additional connections for slow reads, opened on demand. */
const APART_POOL_SIZE = 3;
/** The server ends longer statements there, whatever their deadline. */
const APART_TIMEOUT_MS = 2_000;
/** JIT compilation costs more than such reads; a generic plan for a rare word does not fit a common one. */
const APART_SETTINGS = { jit: "off", plan_cache_mode: "force_custom_plan" };

interface PostgresDependencies {
  readonly pool: PostgresPool;
  readonly apart: PostgresPool;
  /** A connection for stamps alone: most requests begin with one, and it must not wait behind their reads. */
  readonly stamps: PostgresPool;
  readonly location: string;
  readonly epoch: string;
}

class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly epoch: string;
  readonly location: string;
  readonly read: Sql;
  readonly #pool: PostgresPool;
  readonly #apart: PostgresPool;
  /**
   * Each read apart has a connection to itself: if all were busy, the driver would send a short read behind a slow one,
   * and not on the first connection that is free.
   */
  readonly #apartSlots = new ConnectionSlots(APART_POOL_SIZE);
  readonly #stamps: PostgresPool;
  /** Shared by concurrent callers: otherwise each would cost a round trip. */
  readonly #stamp = new SingleFlight(async () => {
    try {
      const query = this.#stamps.query<{ stamp: string }>`select pg_current_snapshot()::text as stamp`;
      const [row] = await query;
      return String(row?.stamp);
    } catch (error) {
      throw postgresRefusal(error);
    }
  });

  constructor({ pool, apart, stamps, location, epoch }: PostgresDependencies) {
    this.#pool = pool;
    this.#apart = apart;
    this.#stamps = stamps;
    this.location = location;
    this.epoch = epoch;
    this.read = Object.assign(this.#read.bind(this), { slot: 0 }) as Sql;
  }

  stamp(): Promise<string> {
    return this.#stamp.result();
  }

  stampNow(): undefined {}

  write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    return this.#write(work, this.#pool.observer);
  }

  derive<T>(work: (sql: Sql) => Awaitable<T>, options?: DeriveOptions): Promise<T> {
    const derived = (sql: Sql) => {
      // Sent together, since the setting only matters at the commit.
      const result = (async () => work(sql))();
      posting(sql)`set local synchronous_commit = off`;
      return result;
    };
    return this.#write(derived, undefined, options);
  }

  async snapshot<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    const slot = await this.#apartSlots.take();
    try {
      return await inSnapshot(this.#apart, work);
    } catch (error) {
      throw postgresRefusal(error);
    } finally {
      this.#apartSlots.give(slot);
    }
  }

  readApart(deadline: number): Sql {
    const sql = async <Row>(text: TemplateStringsArray, ...values: Bound[]) => {
      try {
        return await awaitUntil(this.#readApart<Row>(deadline, text, ...values), deadline);
      } catch (error) {
        throw isCanceled(error) ? new ReadTimeout() : postgresRefusal(error);
      }
    };
    return Object.assign(sql, { slot: 0 });
  }

  /** Also waits for the end of a read whose caller no longer waits. */
  async #readApart<Row>(deadline: number, text: TemplateStringsArray, ...values: Bound[]): Promise<Row[]> {
    const slot = await this.#apartSlots.take();
    try {
      return await despiteConflicts(async () => {
        if (performance.now() >= deadline) throw new ReadTimeout();
        return this.#apart.query<Row>(text, ...values);
      });
    } finally {
      this.#apartSlots.give(slot);
    }
  }

  async #write<T>(
    work: (sql: Sql) => Awaitable<T>,
    observer?: DatabaseObserver,
    options?: DeriveOptions,
  ): Promise<T> {
    const { observer: retries } = this.#pool;
    try {
      return await despiteConflicts(
        () => inTransaction(this.#pool, work, observer, options),
        () => retries?.retried(),
      );
    } catch (error) {
      throw postgresRefusal(error);
    }
  }

  ready(): Promise<void> {
    return checkSchema(this.read, postgresMigrations);
  }

  state(): DatabaseState {
    return { pool: this.#pool.state };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#apart.close(), this.#stamps.close()]);
  }

  async #read<Row>(text: TemplateStringsArray, ...values: Bound[]): Promise<Row[]> {
    try {
      return await despiteConflicts(() => this.#pool.query<Row>(text, ...values));
    } catch (error) {
      throw postgresRefusal(error);
    }
  }
}

/**
 * Runs a transaction, or a read by itself, again after a conflict. A read can deadlock with a process that drops the
 * tables of the search index in another order than that in which the read locks them.
 */
async function despiteConflicts<T>(work: () => PromiseLike<T>, onRetry?: () => void): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      onRetry?.();
      await sleep(Math.random() * 2 ** attempt);
    }
  }
}

/** @throws ReadTimeout after the deadline */
async function awaitUntil<T>(result: Promise<T>, deadline: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ReadTimeout()), Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

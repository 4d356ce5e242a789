import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../../awaitable.ts";
import type { Clock } from "../../clock.ts";
import { Refusal, StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { timeLimit } from "../../time-limit.ts";
import { type Database, type DatabaseState, type Sql, withoutResult } from "../database.ts";
import { inSchemaOf } from "../database-url.ts";
import { ReadTimeout, readOnlyByChoice, SlotTaken } from "../errors.ts";
import type { Bound } from "../fragment.ts";
import { checkSchema, SCHEMA, type Schema } from "../schema/schema.ts";
import { isCanceled, isConflict, isMixedUp, postgresRefusal } from "./errors.ts";
import { Hosts } from "./hosts.ts";
import { locationOf } from "./location.ts";
import { type PostgresOptions, PostgresPool } from "./pool.ts";
import { prepareSchema } from "./prepare-schema.ts";
import { probeEngine } from "./probe-engine.ts";
import { Semaphore } from "./semaphore.ts";
import { SingleFlight } from "./single-flight.ts";
import { sumOfCommits } from "./stamp.ts";
import { refuseOtherEngines, Standbys } from "./standbys.ts";
import { inSearch, inSnapshot, inTransaction, tuneForSearch } from "./transaction.ts";
import { whyUnusable } from "./why-unusable.ts";

/** Attempts at a transaction or a read that conflicts with others. */
const ATTEMPTS = 10;
/** The same for a commit whose count another process keeps locked: each takes as long as the time limit of a lock. */
const SLOT_ATTEMPTS = 3;

/**
 * Opens a PostgreSQL database and brings its schema up to date; any number of processes may do so at once.
 *
 * @param url with `sslmode` where TLS is wanted, and with several hosts where the primary is to be found among them
 * @throws StartError when it cannot be reached, has another encoding than UTF-8, or needs a newer program
 */
export async function openPostgres(
  url: string,
  options: PostgresOptions & {
    readonly log?: Log | undefined;
    readonly clock: Clock;
    readonly servesRequests?: boolean | undefined;
    readonly schema?: Schema | undefined;
  },
): Promise<Database> {
  const location = locationOf(url);
  try {
    const hosts = new Hosts(url);
    const { epoch, isReadOnly } = await prepareSchema(await hosts.find(), options);
    if (isReadOnly && !options.isReadOnly)
      options.log?.warn(`${location} is read-only (a standby?): writes get 503.`);
    const apart = new PostgresPool(hosts, {
      ...options,
      ...{ poolSize: APART_POOL_SIZE, isReserved: true },
      statementTimeout: timeLimit(APART_TIMEOUT_MS),
      observer: undefined,
    });
    const snapshots = new PostgresPool(hosts, {
      ...options,
      ...{ poolSize: SNAPSHOTS_MAX, isReserved: true },
      observer: undefined,
    });
    const pool = new PostgresPool(hosts, options);
    const stamps = new PostgresPool(hosts, { ...options, poolSize: 1, observer: undefined });
    await refuseSharedStatements([stamps, pool], location);
    if (options.servesRequests && !isReadOnly) await refuseUnknownEngine(pool, stamps, location);
    const { clock, isReadOnly: isChosen = false, readUrl, schema = SCHEMA } = options;
    if (readUrl !== undefined) await refuseOtherEngines(pool, location);
    const standbys = readUrl === undefined ? undefined : { url: inSchemaOf(url, readUrl), options };
    return new PostgresDatabase({
      pool,
      apart,
      snapshots,
      stamps,
      standbys,
      location,
      epoch,
      clock,
      schema,
      isReadOnly: isChosen,
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `DATABASE_URL: ${location} cannot be used: ${await whyUnusable(url, error)}.`,
      1,
      error,
    );
  }
}

/**
 * A pooler in transaction mode gives the connections of several clients to one session of the server, where their named
 * statements get into each other's way.
 * @throws StartError when a statement that is sent twice on two connections is refused
 */
async function refuseSharedStatements(pools: readonly PostgresPool[], location: string): Promise<void> {
  try {
    for (const round of [1, 2])
      for (const pool of pools) await pool.query`select cast(${round} as integer) as round`;
  } catch (error) {
    if (!isMixedUp(error)) throw error;
    throw new StartError(
      `DATABASE_URL: ${location} is behind a pooler that mixes up prepared statements: add ?prepare=false to the URL.`,
      1,
      error,
    );
  }
}

/**
 * An engine that shows old states, or does not exclude, would serve wrong pages without a word.
 * @throws StartError
 */
async function refuseUnknownEngine(
  pool: PostgresPool,
  stamps: PostgresPool,
  location: string,
): Promise<void> {
  const missing = await probeEngine(pool, stamps).catch((error) => {
    // Nothing can be written at the moment, as while a synchronous standby is away: then it cannot be tried.
    if (!(postgresRefusal(error) instanceof Refusal)) throw error;
  });
  if (missing !== undefined)
    throw new StartError(
      `DATABASE_URL: ${location} is not an engine that Commonplace can use: ${missing}.`,
      1,
    );
}

/** Additional connections for slow reads, opened on demand. */
const APART_POOL_SIZE = 3;
/** Additional connections for snapshots: so many at once, and others wait. */
const SNAPSHOTS_MAX = 6;
/** The server ends longer statements there, whatever their deadline. */
const APART_TIMEOUT_MS = 2_000;

interface PostgresDependencies {
  readonly pool: PostgresPool;
  readonly apart: PostgresPool;
  readonly snapshots: PostgresPool;
  /** A connection for stamps alone: most requests begin with one, and it must not wait behind their reads. */
  readonly stamps: PostgresPool;
  /** Where reads may go. */
  readonly standbys: { readonly url: string; readonly options: PostgresOptions } | undefined;
  readonly location: string;
  readonly epoch: string;
  readonly clock: Clock;
  readonly schema: Schema;
  /** By choice. */
  readonly isReadOnly: boolean;
}

class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly clock: Clock;
  readonly epoch: string;
  readonly location: string;
  readonly read: Sql;
  readonly readMany: Sql;
  readonly #pool: PostgresPool;
  readonly #apart: PostgresPool;
  readonly #snapshots: PostgresPool;
  /**
   * Each read apart has a connection to itself: if all were busy, the driver would send a short read behind a slow one,
   * and not on the first connection that is free.
   */
  readonly #apartReads = new Semaphore(APART_POOL_SIZE);
  readonly #stamps: PostgresPool;
  readonly #standbys: Standbys | undefined;
  readonly #isReadOnly: boolean;
  readonly #schema: Schema;
  /** Shared by concurrent callers: otherwise each would cost a round trip. */
  readonly #stamp = new SingleFlight(async () => {
    try {
      return await sumOfCommits(this.#stamps);
    } catch (error) {
      throw postgresRefusal(error);
    }
  });

  constructor({
    pool,
    apart,
    snapshots,
    stamps,
    standbys,
    location,
    epoch,
    clock,
    schema,
    isReadOnly,
  }: PostgresDependencies) {
    this.clock = clock;
    this.#isReadOnly = isReadOnly;
    this.#schema = schema;
    this.#pool = pool;
    this.#apart = apart;
    this.#snapshots = snapshots;
    this.#stamps = stamps;
    this.location = location;
    this.epoch = epoch;
    this.read = asSql(this.#read.bind(this));
    this.#standbys =
      standbys && new Standbys(standbys.url, standbys.options, { stamp: () => this.stamp(), epoch });
    this.readMany = this.#standbys ? asSql(this.#readMany.bind(this)) : this.read;
  }

  stamp(): Promise<string> {
    return this.#stamp.result();
  }

  stampNow(): undefined {}

  /** A server that is full, or read-only by itself, says so at each write. */
  obstacle(): Refusal | undefined {
    return this.#isReadOnly ? readOnlyByChoice() : undefined;
  }

  releaseReserve(): void {}

  async write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    if (this.#isReadOnly) throw readOnlyByChoice();
    const { observer } = this.#pool;
    try {
      return await despiteConflicts(
        () => inTransaction(this.#pool, work, observer),
        () => observer?.retried(),
      );
    } catch (error) {
      throw postgresRefusal(error);
    }
  }

  async snapshot<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    try {
      const read = await this.#standbys?.read(work);
      return read === undefined ? await inSnapshot(this.#snapshots, work) : read.result;
    } catch (error) {
      throw postgresRefusal(error);
    }
  }

  readApart(deadline: number): Sql {
    const sql = async <Row>(text: TemplateStringsArray, ...values: Bound[]) => {
      const reading = { hasBegun: false };
      try {
        return await awaitUntil(this.#readApart<Row>(deadline, reading, text, ...values), deadline);
      } catch (error) {
        if (error instanceof ReadTimeout) throw new ReadTimeout({ isBusy: !reading.hasBegun });
        throw isCanceled(error) ? new ReadTimeout() : postgresRefusal(error);
      }
    };
    return asSql(sql);
  }

  /** Also waits for the end of a read whose caller no longer waits. */
  async #readApart<Row>(
    deadline: number,
    reading: { hasBegun: boolean },
    text: TemplateStringsArray,
    ...values: Bound[]
  ): Promise<Row[]> {
    const read = await this.#standbys?.read((sql) => {
      reading.hasBegun = true;
      tuneForSearch(sql);
      void withoutResult(sql)`select set_config('statement_timeout', ${String(APART_TIMEOUT_MS)}, true)`;
      return sql<Row>(text, ...values);
    });
    if (read !== undefined) return read.result;
    const permit = await this.#apartReads.take();
    reading.hasBegun = performance.now() < deadline;
    try {
      return await despiteConflicts(async () => {
        if (performance.now() >= deadline) throw new ReadTimeout();
        return inSearch<Row>(this.#apart, text, ...values);
      });
    } finally {
      this.#apartReads.give(permit);
    }
  }

  ready(): Promise<void> {
    return checkSchema(this.read, this.#schema);
  }

  async findDamage(): Promise<undefined> {}

  state(): DatabaseState {
    return { pool: this.#pool.state, standbys: this.#standbys?.state };
  }

  async close(): Promise<void> {
    const pools = [this.#pool, this.#apart, this.#snapshots, this.#stamps, this.#standbys];
    await Promise.all(pools.map((pool) => pool?.close()));
  }

  async #read<Row>(text: TemplateStringsArray, ...values: Bound[]): Promise<Row[]> {
    try {
      return await despiteConflicts(() => this.#pool.query<Row>(text, ...values));
    } catch (error) {
      throw postgresRefusal(error);
    }
  }

  async #readMany<Row>(text: TemplateStringsArray, ...values: Bound[]): Promise<Row[]> {
    try {
      const read = await this.#standbys?.read((sql) => sql<Row>(text, ...values));
      return read === undefined ? await this.#read(text, ...values) : read.result;
    } catch (error) {
      throw postgresRefusal(error);
    }
  }
}

function asSql(run: <Row>(text: TemplateStringsArray, ...values: Bound[]) => Promise<Row[]>): Sql {
  return Object.assign(run, { engine: "postgres" as const, slot: 0 });
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
      const attempts = isConflict(error) ? ATTEMPTS : error instanceof SlotTaken ? SLOT_ATTEMPTS : 0;
      if (attempt >= attempts) throw error;
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

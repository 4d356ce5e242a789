import { setTimeout as sleep } from "node:timers/promises";
import { SQL, type TransactionSQL } from "bun";
import { Refusal, StartError } from "../errors.ts";
import type { Awaitable, Database, Sql, Value } from "./database.ts";
import { checkSchema, type Migratable, type Migration, migrate } from "./migrate.ts";
import { postgresMigrations } from "./migrations/postgres.ts";
import { isConflict, isConnectionLoss, postgresRefusal } from "./postgres-errors.ts";

/** Counters have so many slots; a writer adds to one. */
const SLOTS = 64;

/** Whoever migrates holds this advisory lock, which a dead process gives up: "cmpl" in ASCII. */
const MIGRATION_LOCK = 0x636d706c;

/** How often a transaction is run again after a conflict with another. */
const ATTEMPTS = 10;

export interface PostgresOptions {
  /** The most connections of this process. */
  readonly poolSize: number;
  /** Milliseconds after which a connection that is not there is given up. */
  readonly connectTimeout: number;
  /** Milliseconds after which the server cancels a statement. */
  readonly statementTimeout: number;
}

/**
 * Opens a PostgreSQL database and brings its schema up to date; any number of processes may do so at once.
 *
 * @param url with `sslmode` where TLS is wanted
 * @throws StartError when it cannot be reached, or needs a newer program
 */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Database> {
  const pool = new SQL({
    url,
    adapter: "postgres",
    max: options.poolSize,
    connectionTimeout: options.connectTimeout / 1000,
    connection: { application_name: "commonplace", statement_timeout: options.statementTimeout },
  });
  const location = locationOf(url);
  try {
    await pool.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await migrate(migratable(transaction), postgresMigrations);
    });
    const [row] = await pool`select value from meta where name = 'epoch'`;
    return new PostgresDatabase(pool, location, String(row?.value));
  } catch (error) {
    await pool.close();
    if (error instanceof StartError) throw error;
    throw new StartError(`DATABASE_URL: ${location} cannot be used: ${reasonOf(error)}.`, 1, error);
  }
}

class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly epoch: string;
  readonly location: string;
  readonly read: Sql;
  readonly #pool: SQL;
  /** The slots of this process begin at random, so that those of several do not all meet in the first. */
  readonly #firstSlot = Math.floor(Math.random() * SLOTS);
  readonly #busySlots = new Set<number>();

  constructor(pool: SQL, location: string, epoch: string) {
    this.#pool = pool;
    this.location = location;
    this.epoch = epoch;
    this.read = speak(pool, 0);
  }

  async stamp(): Promise<string> {
    const [row] = await this.read<{ stamp: string }>`select pg_current_snapshot()::text as stamp`;
    return String(row?.stamp);
  }

  async write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    const slot = this.#takeSlot();
    try {
      return await this.#attempt(work, slot);
    } finally {
      this.#busySlots.delete(slot);
    }
  }

  ready(): Promise<void> {
    return checkSchema(this.read, postgresMigrations);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #attempt<T>(work: (sql: Sql) => Awaitable<T>, slot: number): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let committing = false;
      try {
        return await this.#pool.begin(async (transaction) => {
          const result = await work(speak(transaction, slot));
          committing = true;
          return result;
        });
      } catch (error) {
        if (committing && isConnectionLoss(error)) throw outcomeUnknown(error);
        if (!isConflict(error) || attempt === ATTEMPTS) throw postgresRefusal(error);
        await sleep(Math.random() * 2 ** attempt);
      }
    }
  }

  /** A slot that no other transaction of this process adds to, as long as there is one. */
  #takeSlot(): number {
    for (let step = 0; step < SLOTS; step++) {
      const slot = (this.#firstSlot + step) % SLOTS;
      if (!this.#busySlots.has(slot)) {
        this.#busySlots.add(slot);
        return slot;
      }
    }
    return this.#firstSlot;
  }
}

/** The {@link Sql} of the pool, or of one transaction. */
function speak(connection: SQL | TransactionSQL, slot: number): Sql {
  const sql = async <Row>(text: TemplateStringsArray, ...values: (Value | readonly number[])[]) => {
    try {
      const bound = values.map((value) => (Array.isArray(value) ? connection(value) : value));
      return (await connection(text, ...bound)) as Row[];
    } catch (error) {
      // Within a transaction the error itself is needed: it says whether to run the whole again.
      throw "savepoint" in connection ? error : postgresRefusal(error);
    }
  };
  return Object.assign(sql, { slot });
}

function migratable(transaction: TransactionSQL): Migratable {
  return {
    applied: async () => {
      await transaction.unsafe(`create table if not exists migrations (
        number integer primary key, name text not null, applied_at timestamptz(3) not null)`);
      const rows = await transaction<{ number: number }[]>`select number from migrations`;
      return rows.map(({ number }) => number);
    },
    meta: async (name) => {
      const [row] = await transaction<{ value: string }[]>`select value from meta where name = ${name}`;
      return row?.value;
    },
    apply: async ({ number, name, script }: Migration) => {
      await transaction.unsafe(script);
      await transaction`insert into migrations (number, name, applied_at) values (${number}, ${name}, ${new Date()})`;
    },
  };
}

/** The connection broke while the commit was under way: it may have happened or not. */
function outcomeUnknown(cause: unknown): Refusal {
  return new Refusal(
    "unavailable",
    "The connection to the database broke while this was being stored: it may be stored or not. " +
      "With an Idempotency-Key it is safe to try again.",
    { retryAfter: 1, cause },
  );
}

/** Host and database name of a URL; never the password. */
function locationOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `postgres://${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

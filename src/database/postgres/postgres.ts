import { setTimeout as sleep } from "node:timers/promises";
import { type ReservedSQL, SQL, type TransactionSQL } from "bun";
import type { Awaitable } from "../../awaitable.ts";
import { messageOf, StartError } from "../../errors.ts";
import type { Database, DatabaseState, Sql } from "../database.ts";
import type { Bound } from "../fragment.ts";
import { checkSchema, type Migratable, type Migration, migrate } from "../migrate.ts";
import { postgresMigrations } from "../migrations/postgres.ts";
import { SingleFlight } from "../single-flight.ts";
import { isConflict, postgresRefusal } from "./errors.ts";
import { type PostgresOptions, PostgresPool } from "./pool.ts";
import { inTransaction } from "./transaction.ts";

/** The advisory lock held during migrations; a dead process releases it. "cmpl" in ASCII. */
export const MIGRATION_LOCK = 0x636d706c;

/** Attempts at a transaction that conflicts with others. */
const ATTEMPTS = 10;

/**
 * Opens a PostgreSQL database and brings its schema up to date; any number of processes may do so at once.
 *
 * @param url with `sslmode` where TLS is wanted
 * @throws StartError when it cannot be reached, or needs a newer program
 */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Database> {
  const location = locationOf(url);
  try {
    const epoch = await prepare(url, options);
    return new PostgresDatabase(new PostgresPool(url, options), location, epoch);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATABASE_URL: ${location} cannot be used: ${messageOf(error)}.`, 1, error);
  }
}

class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly epoch: string;
  readonly location: string;
  readonly read: Sql;
  readonly #pool: PostgresPool;
  /** Shared by concurrent callers, which would otherwise cost a round trip each. */
  readonly #stamp = new SingleFlight(async () => {
    const [row] = await this.read<{ stamp: string }>`select pg_current_snapshot()::text as stamp`;
    return String(row?.stamp);
  });

  constructor(pool: PostgresPool, location: string, epoch: string) {
    this.#pool = pool;
    this.location = location;
    this.epoch = epoch;
    this.read = Object.assign(this.#read.bind(this), { slot: 0 }) as Sql;
  }

  stamp(): Promise<string> {
    return this.#stamp.result();
  }

  async write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTransaction(this.#pool, work);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw postgresRefusal(error);
        this.#pool.observer?.retried();
        await sleep(Math.random() * 2 ** attempt);
      }
    }
  }

  ready(): Promise<void> {
    return checkSchema(this.read, postgresMigrations);
  }

  state(): DatabaseState {
    return { pool: this.#pool.state };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #read<Row>(text: TemplateStringsArray, ...values: Bound[]): Promise<Row[]> {
    try {
      return await this.#pool.query<Row>(text, ...values);
    } catch (error) {
      throw postgresRefusal(error);
    }
  }
}

/**
 * Brings the schema up to date, on a connection without a statement timeout: migrations may be slow, and other
 * processes wait for them.
 * @returns the database's epoch
 */
async function prepare(url: string, { connectTimeout }: PostgresOptions): Promise<string> {
  const sql = new SQL({
    url,
    adapter: "postgres",
    max: 1,
    connectionTimeout: connectTimeout / 1000,
    connection: { application_name: "commonplace migration", statement_timeout: 0, lock_timeout: 0 },
  });
  try {
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await migrate(migratable(transaction), postgresMigrations);
    });
    const [row] = await sql`select value from meta where name = 'epoch'`;
    return String(row?.value);
  } finally {
    await sql.close();
  }
}

/** @param transaction of a caller that holds {@link MIGRATION_LOCK} */
export function migratable(transaction: TransactionSQL | ReservedSQL): Migratable {
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

/** Host and database name of a URL, without the password. */
export function locationOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `postgres://${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
}

import { type ReservedSQL, SQL, type TransactionSQL } from "bun";
import { StartError } from "../../errors.ts";
import { type Applied, type Migratable, type Migration, migrate } from "../migrate.ts";
import { postgresMigrations } from "../migrations/postgres.ts";
import { checkEncoding } from "./encoding.ts";
import type { PostgresOptions } from "./pool.ts";

/** The advisory lock held during migrations; a dead process releases it. "cmpl" in ASCII. */
export const MIGRATION_LOCK = 0x636d706c;

/** The properties of a database whose schema is up to date. */
interface Prepared {
  readonly epoch: string;
  /** Whether it is read-only, such as a standby: then its schema was only checked. */
  readonly isReadOnly: boolean;
}

/**
 * Brings the schema up to date, on a connection without a statement timeout: migrations may be slow, and other
 * processes wait for them.
 */
export async function prepareSchema(url: string, { connectTimeout }: PostgresOptions): Promise<Prepared> {
  const sql = new SQL({
    url,
    adapter: "postgres",
    max: 1,
    connectionTimeout: connectTimeout / 1000,
    connection: { application_name: "commonplace migration", statement_timeout: 0, lock_timeout: 0 },
  });
  try {
    const isReadOnly = await sql.begin(async (transaction) => {
      const [mode] = await transaction`
        select current_setting('transaction_read_only') = 'on' as read_only,
          current_setting('server_encoding') as encoding`;
      checkEncoding(mode?.encoding);
      if (!mode?.read_only) await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await migrate(mode?.read_only ? readOnly(transaction) : migratable(transaction), postgresMigrations);
      return mode?.read_only === true;
    });
    const [row] = await sql`select value from meta where name = 'epoch'`;
    return { epoch: String(row?.value), isReadOnly };
  } finally {
    await sql.close();
  }
}

/** @param transaction of a read-only database: missing migrations have to come from its primary */
function readOnly(transaction: TransactionSQL): Migratable {
  return {
    ...migratable(transaction),
    applied: async () => {
      const [table] = await transaction`select to_regclass('migrations') is not null as known`;
      return table?.known ? await recordedIn(transaction) : [];
    },
    apply: async ({ name }) => {
      throw new StartError(
        `The database is read-only and its schema is out of date (migration ${name} is missing). ` +
          "Start a server of this version on the primary first.",
        1,
      );
    },
  };
}

function recordedIn(transaction: TransactionSQL | ReservedSQL): Promise<Applied[]> {
  return transaction<Applied[]>`select number, name from migrations`;
}

/** @param transaction of a caller that holds {@link MIGRATION_LOCK} */
export function migratable(transaction: TransactionSQL | ReservedSQL): Migratable {
  return {
    applied: async () => {
      await transaction.unsafe(`create table if not exists migrations (
        number integer primary key, name text not null, applied_at timestamptz(3) not null)`);
      return recordedIn(transaction);
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

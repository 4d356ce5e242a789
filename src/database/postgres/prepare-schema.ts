import type { ReservedSQL, SQL } from "bun";
import { StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { factsOfNew, findSchema, SCHEMA, type Schema } from "../schema/schema.ts";
import { checkEncoding, connect, ensureSchema } from "./connect.ts";
import { isMadeMeanwhile } from "./errors.ts";
import { type PostgresOptions, PREPARING, READ_ONLY_SESSION } from "./pool.ts";

/** The properties of a database with the schema of this program. */
interface Prepared {
  readonly epoch: string;
  /** Whether it is read-only, such as a standby: then its schema was only checked. */
  readonly isReadOnly: boolean;
}

/**
 * Of processes that start at once, one makes the schema that the URL names, and one the tables. The others wait for it, are
 * refused, and find what it has made.
 */
const RACES = 2;

/**
 * Makes the tables of a new database, or takes the steps that an earlier one lacks, in one transaction. It uses a connection without a statement
 * timeout: this may take minutes, and other processes wait for it.
 */
export async function prepareSchema(
  url: string,
  {
    connectTimeout,
    isReadOnly: isChosen,
    log,
    schema = SCHEMA,
  }: PostgresOptions & { readonly log?: Log | undefined; readonly schema?: Schema | undefined },
): Promise<Prepared> {
  const settings = { application_name: PREPARING, statement_timeout: 0, lock_timeout: 0 };
  const sql = connect(url, {
    max: 1,
    connectTimeout,
    settings: { ...settings, ...(isChosen && READ_ONLY_SESSION) },
  });
  const prepareBesideOthers = (races: number): Promise<boolean> =>
    prepare(url, sql, schema, log).catch((error) => {
      if (races > 0 && isMadeMeanwhile(error)) return prepareBesideOthers(races - 1);
      throw error;
    });
  try {
    const isReadOnly = await prepareBesideOthers(RACES);
    const [row] = await sql`select value from meta where name = 'epoch'`;
    return { epoch: String(row?.value), isReadOnly };
  } finally {
    await sql.close();
  }
}

/** @returns whether the database is read-only */
async function prepare(url: string, sql: SQL, schema: Schema, log: Log | undefined): Promise<boolean> {
  const [mode] = await sql`
    select current_setting('transaction_read_only') = 'on' as read_only,
      current_setting('server_encoding') as encoding`;
  checkEncoding(mode?.encoding);
  await ensureSchema(url, { unsafe: sql.unsafe.bind(sql) });
  // Outside of the transaction: two processes that have read the same table could both wait to lock it.
  const found = await findSchema("postgres", (query) => sql.unsafe(query), { schema });
  if (mode?.read_only && found !== "current")
    throw new StartError(
      found === "none"
        ? "The database is read-only and has no tables. Start a server on the primary first."
        : "The database is read-only and has the schema of an earlier version. Start a server of this version that can write to it first, which upgrades it.",
      1,
    );
  if (found === "none") await sql.begin((transaction) => createTables(transaction, schema));
  if (found === "behind") {
    const { upgradePostgres } = await import("../upgrade/postgres-upgrade.ts");
    await sql.begin((transaction) => upgradePostgres(transaction, schema, log));
  }
  return mode?.read_only === true;
}

/** Makes the tables of a new database, in the caller's transaction. The first one excludes others that do the same. */
export async function createTables(transaction: Pick<ReservedSQL, "unsafe">, schema: Schema): Promise<void> {
  for (const statement of schema.postgres) await transaction.unsafe(statement);
  for (const fact of factsOfNew(schema))
    await transaction.unsafe("insert into meta (name, value) values ($1, $2)", fact);
}

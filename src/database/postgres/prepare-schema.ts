import type { ReservedSQL, SQL } from "bun";
import { StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { factsOfNew, findSchema, SCHEMA } from "../schema/schema.ts";
import { checkEncoding, connect, ensureSchema } from "./connect.ts";
import { isMadeMeanwhile } from "./errors.ts";
import { type PostgresOptions, READ_ONLY_SESSION } from "./pool.ts";

/** The `application_name` of connections that prepare a schema: they wait for each other. */
export const PREPARING = "commonplace start";

/** The properties of a database with the schema of this program. */
interface Prepared {
  readonly epoch: string;
  /** Whether it is read-only, such as a standby: then its schema was only checked. */
  readonly isReadOnly: boolean;
}

/**
 * Makes the tables of a new database, or upgrades an earlier one, in one transaction. It uses a connection without a statement
 * timeout: this may take minutes, and other processes wait for it.
 */
export async function prepareSchema(
  url: string,
  { connectTimeout, isReadOnly: isChosen, log }: PostgresOptions & { readonly log?: Log | undefined },
): Promise<Prepared> {
  const settings = { application_name: PREPARING, statement_timeout: 0, lock_timeout: 0 };
  const sql = connect(url, {
    max: 1,
    connectTimeout,
    settings: { ...settings, ...(isChosen && READ_ONLY_SESSION) },
  });
  try {
    // Of processes that start at once, one makes the tables. The others wait for it, are refused, and find the tables.
    const isReadOnly = await prepare(url, sql, log).catch((error) => {
      if (isMadeMeanwhile(error)) return prepare(url, sql, log);
      throw error;
    });
    const [row] = await sql`select value from meta where name = 'epoch'`;
    return { epoch: String(row?.value), isReadOnly };
  } finally {
    await sql.close();
  }
}

/** @returns whether the database is read-only */
async function prepare(url: string, sql: SQL, log: Log | undefined): Promise<boolean> {
  const [mode] = await sql`
    select current_setting('transaction_read_only') = 'on' as read_only,
      current_setting('server_encoding') as encoding`;
  checkEncoding(mode?.encoding);
  await ensureSchema(url, { unsafe: sql.unsafe.bind(sql) });
  // Outside of the transaction: two processes that have read the same table could both wait to lock it.
  const found = await findSchema("postgres", (query) => sql.unsafe(query));
  if (mode?.read_only && found !== "current")
    throw new StartError(
      "The database is read-only and its schema is out of date. Start a server of this version on the primary first.",
      1,
    );
  if (found === "none") await sql.begin(createTables);
  if (found === "earlier") {
    const { upgradePostgres } = await import("../upgrade/postgres-upgrade.ts");
    await sql.begin((transaction) => upgradePostgres(transaction, log));
  }
  return mode?.read_only === true;
}

/** Makes the tables of a new database, in the caller's transaction. The first one excludes others that do the same. */
export async function createTables(transaction: Pick<ReservedSQL, "unsafe">): Promise<void> {
  for (const statement of SCHEMA.postgres) await transaction.unsafe(statement);
  for (const fact of factsOfNew())
    await transaction.unsafe("insert into meta (name, value) values ($1, $2)", fact);
}

import type { ReservedSQL, SQL } from "bun";
import { StartError } from "../../errors.ts";
import { connect } from "../postgres/connect.ts";
import { postgresRefusal } from "../postgres/errors.ts";
import { findHost } from "../postgres/hosts.ts";
import { locationOf } from "../postgres/location.ts";
import { Timeouts } from "../postgres/timeouts.ts";
import { whyUnusable } from "../postgres/why-unusable.ts";
import { type BoundValue, type DatabaseEndpoint, type Dialect, sentence } from "./endpoint.ts";
import {
  type CatalogueRow,
  type ForeignKey,
  isDerived,
  type Kind,
  quoted,
  type Table,
  tablesOf,
} from "./table.ts";

/** Lock timeout in milliseconds. */
const MOVE_LOCK_WAIT = 30_000;

/** Statement timeout in milliseconds. Batches are small, so a server silent for so long is gone. */
const TIMEOUT_MS = 120_000;

const KINDS: Readonly<Record<string, Kind>> = {
  bigint: "integer",
  integer: "integer",
  boolean: "boolean",
  text: "text",
  bytea: "bytes",
  "timestamp with time zone": "instant",
};

const dialect: Dialect = {
  parameter: (position) => `$${position}`,
  portableValue(column) {
    if (column.kind === "boolean") return `cast(${quoted(column)} as integer)`;
    if (column.kind === "bytes") return `encode(${quoted(column)}, 'hex')`;
    if (column.kind === "instant") return `cast(extract(epoch from ${quoted(column)}) * 1000 as bigint)`;
    return quoted(column);
  },
  keyValue: ({ kind }, parameter) => `cast(${parameter} as text)${kind === "text" ? "" : "::bigint"}`,
  keyOrder: (column) => (column.kind === "text" ? `${quoted(column)} collate "C"` : quoted(column)),
  jsonArray: (expressions) => `json_build_array(${expressions.join(", ")})::text`,
  bytes: (expression) => expression,
};

/** One connection to a PostgreSQL database. */
export class PostgresEndpoint implements DatabaseEndpoint {
  readonly location: string;
  readonly engine = "postgres";
  readonly dialect = dialect;
  readonly #pool: SQL;
  readonly #connection: ReservedSQL;
  readonly #timeouts = new Timeouts(TIMEOUT_MS);

  constructor(location: string, pool: SQL, connection: ReservedSQL) {
    this.location = location;
    this.#pool = pool;
    this.#connection = connection;
  }

  protected get connection(): ReservedSQL {
    return this.#connection;
  }

  async query<Row>(text: string, values: readonly BoundValue[] = []): Promise<Row[]> {
    try {
      return await this.attempt<Row>(text, values);
    } catch (error) {
      throw reasonFor(this.location, error);
    }
  }

  /** @throws the engine's error */
  async attempt<Row>(text: string, values: readonly BoundValue[] = []): Promise<Row[]> {
    return await this.#timeouts.withTimeout<Row[]>(this.#connection.unsafe(text, [...values]));
  }

  async tables(): Promise<Table[]> {
    const rows = await this.query<CatalogueRow>(`
      select relname as "table", attname as "column", format_type(atttypid, null) as type,
        coalesce(array_position(indkey::int2[], attnum), -1) + 1 as key
      from pg_class join pg_attribute on attrelid = pg_class.oid
        left join pg_index on indrelid = pg_class.oid and indisprimary
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0
        and not attisdropped and attgenerated = '' and ${NOT_OF_AN_EXTENSION}
        and not ${isDerived("relname")}
      order by relname collate "C", attnum`);
    const foreignKeys = await this.query<ForeignKey>(`
      select child.relname as child, parent.relname as parent
      from pg_constraint join pg_class as child on child.oid = conrelid
        join pg_class as parent on parent.oid = confrelid
      where contype = 'f' and child.relnamespace = current_schema()::regnamespace`);
    return tablesOf(rows, foreignKeys, KINDS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close({ timeout: 0 });
    await this.#pool.close({ timeout: 0 });
  }

  /** Whether it is a database of this program. */
  protected async isOurs(): Promise<boolean> {
    return (await this.query("select where to_regclass('meta') is not null")).length > 0;
  }

  /** For this transaction: each batch must seek in the key's index, whatever the planner's statistics say. */
  protected async seekAlways(): Promise<void> {
    for (const way of ["enable_seqscan", "enable_sort", "jit"]) await this.query(`set local ${way} = off`);
  }

  protected identities(): Promise<{ table: string; column: string; sequence: string }[]> {
    return this.query(`
      select relname as "table", attname as "column", pg_get_serial_sequence(quote_ident(relname), attname) as sequence
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = current_schema()::regnamespace and attidentity <> ''`);
  }
}

/**
 * SQL of a condition: rows of pg_class that no extension owns. Managed services often keep the views and tables of
 * extensions in the same schema.
 */
export const NOT_OF_AN_EXTENSION = `not exists (
  select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype = 'e')`;

/** @throws StartError when the server cannot be reached or refuses the login */
export async function connectTo(
  url: string,
): Promise<[location: string, pool: SQL, connection: ReservedSQL]> {
  const location = locationOf(url);
  let pool: SQL | undefined;
  try {
    pool = connect(await findHost(url), {
      max: 1,
      connectTimeout: 10_000,
      settings: {
        application_name: "commonplace move",
        statement_timeout: 0,
        lock_timeout: MOVE_LOCK_WAIT,
        idle_in_transaction_session_timeout: 0,
      },
    });
    return [location, pool, await pool.reserve()];
  } catch (error) {
    await pool?.close({ timeout: 0 });
    throw new StartError(`${location} cannot be used: ${await whyUnusable(url, error)}.`, 1, error);
  }
}

/** The engine's message in one line, after the database's name. */
export function reasonFor(location: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const refusal = postgresRefusal(error);
  return new StartError(`${location}: ${sentence(refusal)}`, 1, error);
}

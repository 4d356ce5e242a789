import { StartError } from "../../errors.ts";
import { checkEncoding, ensureSchema } from "../postgres/connect.ts";
import { SEAL, sqlState } from "../postgres/errors.ts";
import { createTables } from "../postgres/prepare-schema.ts";
import { SCHEMA } from "../schema/schema.ts";
import type { Source, Target } from "./endpoint.ts";
import { connectTo, NOT_OF_AN_EXTENSION, PostgresEndpoint, reasonFor } from "./postgres-endpoint.ts";
import { type Column, columnList, quoted, type Table } from "./table.ts";

/** PostgreSQL's code for text with U+0000. */
const UNTRANSLATABLE = "22P05";

/** Opens a PostgreSQL database as a source: nobody else can commit anything to it until it is closed. */
export async function openPostgresSource(url: string): Promise<Source> {
  const source = new PostgresSource(...(await connectTo(url)));
  try {
    await source.lock();
    return source;
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}

class PostgresSource extends PostgresEndpoint implements Source {
  /**
   * Every transaction that changes something counts itself in `commits`, so a server that still runs waits there. The
   * snapshot is taken afterwards, by the first statement that reads (postgresql.org/docs/current/sql-lock.html).
   */
  async lock(): Promise<void> {
    if (!(await this.isOurs())) throw new StartError(`${this.location} is not a Commonplace database.`, 1);
    await this.query("begin isolation level repeatable read");
    await this.query("lock table commits in exclusive mode");
    await this.seekAlways();
  }

  async highestIds(): Promise<ReadonlyMap<string, number>> {
    const highest = new Map<string, number>();
    for (const { table, column, sequence } of await this.identities()) {
      // A sequence's last_value is the next id until it is first used, and the last id from then on.
      const [row] = await this.query<{ id: string }>(`
        select greatest(last_value - (not is_called)::integer, (select max(${column}) from ${table})) as id
        from ${sequence}`);
      const id = Number(row?.id);
      if (id > 0) highest.set(table, id);
    }
    return highest;
  }

  /** Nothing satisfies the constraint: a server that still runs answers 503 to writes, and continues to read. */
  async seal(): Promise<void> {
    await this.query(`alter table commits add constraint ${SEAL} check (false) not valid`);
  }

  async unseal(): Promise<void> {
    await this.query(`alter table commits drop constraint if exists ${SEAL}`);
  }

  async commit(): Promise<void> {
    await this.query("commit");
  }
}

/**
 * Creates the schema in an empty PostgreSQL database.
 * @throws StartError when the database is not empty, or has another encoding than UTF-8
 */
export async function makePostgresTarget(url: string): Promise<Target> {
  const [location, pool, connection] = await connectTo(url);
  const target = new PostgresTarget(location, pool, connection);
  try {
    await ensureSchema(url, { unsafe: connection.unsafe.bind(connection) });
    await target.prepare();
    return target;
  } catch (error) {
    await target[Symbol.asyncDispose]();
    throw reasonFor(target.location, error);
  }
}

class PostgresTarget extends PostgresEndpoint implements Target {
  async prepare(): Promise<void> {
    const [database] = await this.query<{ encoding: string }>(
      "select current_setting('server_encoding') as encoding",
    );
    checkEncoding(database?.encoding);
    await this.query("begin");
    await this.#refuseUnlessEmpty();
    await this.seekAlways();
    // Servers that start on it during the move wait for its end: they want to create the same table.
    await createTables({ unsafe: this.connection.unsafe.bind(this.connection) }, SCHEMA);
  }

  async insert(table: Table, rows: readonly string[]): Promise<void> {
    const values = table.columns.map((column, index) => fromPortable(column, `row ->> ${index}`)).join(", ");
    // Bound as text, since the driver would encode the JSON again.
    const insert = `insert into ${quoted(table)} (${columnList(table)})
      select ${values} from jsonb_array_elements($1::text::jsonb) as row`;
    try {
      await this.attempt(insert, [`[${rows.join(",")}]`]);
    } catch (error) {
      if (sqlState(error) === UNTRANSLATABLE)
        throw new StartError(
          `PostgreSQL does not support U+0000 in texts, and ${withNull(table, rows)} has one.`,
          1,
          error,
        );
      throw reasonFor(`${this.location}, ${table.name}`, error);
    }
  }

  async continueIds({ name }: Table, highest: number): Promise<void> {
    const identity = (await this.identities()).find(({ table }) => table === name);
    if (identity === undefined)
      throw new StartError(`${this.location}: the table ${name} has no id sequence.`, 1);
    // Unlike setval, this is undone with the transaction.
    await this.query(`alter table ${name} alter column ${identity.column} restart with ${highest + 1}`);
  }

  async finish(): Promise<void> {}

  async publish(): Promise<void> {
    await this.query("commit");
    // For the planner's statistics; should this fail, the server does it later by itself.
    await this.attempt("analyze").catch(() => {});
  }

  async #refuseUnlessEmpty(): Promise<void> {
    const relations = await this.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        and ${NOT_OF_AN_EXTENSION} order by relname`);
    if (relations.length > 0)
      throw new StartError(
        `${this.location} is not empty: it has ${someOf(relations.map(({ name }) => name))}.`,
        1,
      );
  }
}

function fromPortable({ kind }: Column, value: string): string {
  switch (kind) {
    case "text":
      return value;
    case "integer":
      return `(${value})::bigint`;
    case "boolean":
      return `(${value})::integer::boolean`;
    case "bytes":
      return `decode(${value}, 'hex')`;
    case "instant":
      // Exact, unlike a division to seconds.
      return `timestamptz 'epoch' + (${value})::bigint * interval '1 millisecond'`;
  }
}

/** The record that holds U+0000, as `bookmarks 7`. */
function withNull(table: Table, rows: readonly string[]): string {
  const values = rows
    .map((row) => JSON.parse(row) as unknown[])
    .find((row) => row.some((value) => typeof value === "string" && value.includes("\0")));
  const key = table.key.map(
    ({ name }) => values?.[table.columns.findIndex((column) => column.name === name)],
  );
  return `${table.name} ${key.join(" ")}`;
}

function someOf(names: readonly string[]): string {
  const more = names.length - 3;
  return names.slice(0, 3).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

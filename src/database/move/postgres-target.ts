import { StartError } from "../../errors.ts";
import { MOVING_FROM } from "../moved.ts";
import { ensureSchema } from "../postgres/connect.ts";
import { checkEncoding } from "../postgres/encoding.ts";
import { sqlState } from "../postgres/errors.ts";
import { createTables } from "../postgres/schema.ts";
import type { Target } from "./endpoint.ts";
import { connectTo, notOfAnExtension, PostgresEndpoint, reasonFor } from "./postgres-endpoint.ts";
import { type Column, columnList, quoted, type Table } from "./table.ts";

/** PostgreSQL's code for text with U+0000. */
const UNTRANSLATABLE = "22P05";

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
    await this.#empty();
    await this.seekAlways();
    // Servers that start on it during the move wait for its end: they want to create the same table.
    await createTables({ unsafe: this.connection.unsafe.bind(this.connection) });
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

  async commit(from: string): Promise<void> {
    await this.query("insert into meta (name, value) values ($1, $2)", [MOVING_FROM, from]);
    await this.query("commit");
  }

  async discard(): Promise<void> {
    await this.#empty();
  }

  async publish(): Promise<void> {
    await this.query("delete from meta where name = $1", [MOVING_FROM]);
    // For the planner's statistics; should this fail, the server does it later by itself.
    await this.attempt("analyze").catch(() => {});
  }

  /** Removes the leftovers of an interrupted move, which were never in use. */
  async #empty(): Promise<void> {
    const relations = await this.query<{ name: string; kind: string }>(`
      select relname as name, relkind as kind from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        and ${notOfAnExtension("pg_class")} order by relname`);
    if (relations.length === 0) return;
    if (!(await this.#isUnfinished()))
      throw new StartError(
        `${this.location} is not empty: it has ${someOf(relations.map(({ name }) => name))}.`,
        1,
      );
    const tables = relations.filter(({ kind }) => kind === "r").map(quoted);
    await this.query(`drop table ${tables.join(", ")}`);
    const functions = await this.query<{ name: string }>(`
      select oid::regprocedure::text as name from pg_proc
      where pronamespace = current_schema()::regnamespace and ${notOfAnExtension("pg_proc")}`);
    for (const { name } of functions) await this.query(`drop function ${name}`);
  }

  async #isUnfinished(): Promise<boolean> {
    if (!(await this.isOurs())) return false;
    return (await this.query("select from meta where name = $1", [MOVING_FROM])).length > 0;
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

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SQL } from "bun";
import { FIRST_SCHEMA, factsOfNew, type Schema } from "../../../src/database/schema/schema.ts";
import { definitionOf, statementsIn } from "../../../src/database/schema/statements.ts";
import { APPLICATION_ID } from "../../../src/database/sqlite/file.ts";
import { fillEveryTable } from "./filled-tables.ts";

/** The first schema, as it was. */
const FIRST: Schema = {
  sqlite: statementsOf("sqlite"),
  postgres: statementsOf("postgres"),
  steps: [],
};

function statementsOf(engine: string): string[] {
  return statementsIn(readFileSync(join(import.meta.dir, `../../upgrade/schema-0001/${engine}.sql`), "utf8"));
}

/** Makes a database of the first schema where a URL says, with rows in every table. On PostgreSQL, the place is an empty database. */
export async function placeFirst(url: string): Promise<void> {
  if (isSqlite(url)) return fillFile(pathOf(url));
  await using sql = new SQL(url, { max: 1 });
  await sql.begin(async (transaction) => {
    await transaction.unsafe("set local session_replication_role = replica");
    for (const statement of FIRST.postgres) await transaction.unsafe(statement);
    using model = new DatabaseSync(":memory:");
    fill(model);
    for (const [table, columns] of await columnsIn(transaction))
      await copyRows(model, transaction, table, columns);
    for (const { name, seq } of model.prepare("select name, seq from sqlite_sequence").all())
      await transaction.unsafe(`alter table ${name} alter column id restart with ${Number(seq) + 1}`);
  });
}

function fillFile(path: string): void {
  using database = new DatabaseSync(path);
  fill(database);
  database.exec(`pragma application_id = ${APPLICATION_ID}; pragma journal_mode = wal`);
}

function fill(database: DatabaseSync): void {
  for (const statement of FIRST.sqlite) database.exec(statement);
  fillEveryTable(database);
  const insert = database.prepare("insert into meta (name, value) values (?, ?)");
  for (const [name, value] of factsOfNew(FIRST)) insert.run(name, name === "schema" ? FIRST_SCHEMA : value);
}

type Run = Pick<SQL, "unsafe">;

async function columnsIn(sql: Run): Promise<Map<string, { name: string; type: string }[]>> {
  const rows: { table: string; name: string; type: string }[] = await sql.unsafe(`
    select table_name as "table", column_name as name, data_type as type from information_schema.columns
    where table_schema = current_schema() order by table_name, ordinal_position`);
  return Map.groupBy(rows, ({ table }) => table);
}

async function copyRows(
  model: DatabaseSync,
  sql: Run,
  table: string,
  columns: readonly { name: string; type: string }[],
): Promise<void> {
  if (table.startsWith("search_")) return;
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns.map(({ type }, index) => asPostgres(type, `$${index + 1}`)).join(", ");
  for (const row of model.prepare(`select ${names} from ${table}`).all())
    await sql.unsafe(
      `insert into ${table} (${names}) values (${values})`,
      columns.map(({ name }) => row[name]),
    );
}

/** What a value of SQLite is on PostgreSQL, as SQL. */
function asPostgres(type: string, parameter: string): string {
  if (type === "boolean") return `(${parameter}::integer)::boolean`;
  if (type.startsWith("timestamp"))
    return `timestamptz 'epoch' + ${parameter}::bigint * interval '1 millisecond'`;
  return `${parameter}::${type}`;
}

/** Reads a database beside the service. */
export interface Reader extends AsyncDisposable {
  all(query: string): Promise<Record<string, unknown>[]>;
}

export function readerOf(url: string): Reader {
  if (isSqlite(url)) {
    const database = new DatabaseSync(pathOf(url));
    return {
      async all(query) {
        const statement = database.prepare(query);
        statement.setReadBigInts(true);
        return statement.all();
      },
      [Symbol.asyncDispose]: async () => database.close(),
    };
  }
  const sql = new SQL(url, { max: 1 });
  return { all: async (query) => sql.unsafe(query), [Symbol.asyncDispose]: () => sql.close() };
}

/**
 * What a database is like, a line each: on SQLite the definitions of tables and indexes, on PostgreSQL columns in their
 * order, indexes, constraints and sequences.
 */
export async function shapeOf(url: string): Promise<string[]> {
  await using reader = readerOf(url);
  const rows = await reader.all(isSqlite(url) ? SQLITE_SHAPE : POSTGRES_SHAPE);
  return rows.map(({ line }) => definitionOf(String(line))).toSorted();
}

const SQLITE_SHAPE = "select type || ' ' || name || ': ' || coalesce(sql, '') as line from sqlite_schema";

const POSTGRES_SHAPE = `
  with ours as (select oid, relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r')
  select concat_ws(' ', relname, rank() over (partition by relname order by attnum), attname,
    format_type(atttypid, atttypmod), attnotnull, attidentity, attcollation, pg_get_expr(adbin, adrelid),
    pg_get_serial_sequence(relname, attname)) as line
  from pg_attribute join ours on ours.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped
  union all
  select concat_ws(' ', relname, conname, pg_get_constraintdef(pg_constraint.oid)) from pg_constraint join ours on ours.oid = conrelid
  union all
  select pg_get_indexdef(indexrelid) from pg_index join ours on ours.oid = indrelid`;

/** The rows of every table but the search index, as text. */
export async function rowsOf(url: string): Promise<Map<string, string[]>> {
  await using reader = readerOf(url);
  const tables = await reader.all(
    isSqlite(url)
      ? `select t.name as "table", c.name as name from sqlite_schema t join pragma_table_info(t.name) c
         where t.type = 'table' and t.name not like 'search~_%' escape '~' and t.name <> 'sqlite_sequence' order by 1, c.cid`
      : `select table_name as "table", column_name as name from information_schema.columns
         where table_schema = current_schema() and table_name not like 'search~_%' escape '~' order by 1, ordinal_position`,
  );
  const rows = new Map<string, string[]>();
  for (const [table, columns] of Map.groupBy(tables, (row) => String(row.table))) {
    const found = await reader.all(
      `select ${columns.map(({ name }) => `"${name}"`).join(", ")} from ${table}`,
    );
    const lines = found.map((row) =>
      JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    );
    rows.set(table, lines.toSorted());
  }
  return rows;
}

/** The id that each table gives next. */
export async function nextIds(url: string): Promise<Map<string, number>> {
  await using reader = readerOf(url);
  const next = new Map<string, number>();
  if (isSqlite(url)) {
    for (const { name, seq } of await reader.all("select name, seq from sqlite_sequence"))
      next.set(String(name), Number(seq) + 1);
    return next;
  }
  const ids = await reader.all(`
    select relname as name, pg_get_serial_sequence(relname, attname) as sequence
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relnamespace = current_schema()::regnamespace`);
  for (const { name, sequence } of ids) {
    const [row] = await reader.all(`select last_value + is_called::integer as next from ${sequence}`);
    next.set(String(name), Number(row?.next));
  }
  return next;
}

export function isSqlite(url: string): boolean {
  return url.startsWith("sqlite:");
}

export function pathOf(url: string): string {
  return url.slice("sqlite:".length);
}

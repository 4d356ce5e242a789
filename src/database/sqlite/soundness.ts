import { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../../awaitable.ts";
import { messageOf } from "../../errors.ts";

/** How many rows each table has, by its name. */
export type TableCounts = ReadonlyMap<string, number>;

/** The rows of every table, at the moment of the connection's transaction. */
export function countTables(connection: DatabaseSync): TableCounts {
  const tables = connection
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite~_%' escape '~'")
    .all();
  return new Map(
    tables.map(({ name }) => {
      const quoted = `"${String(name).replaceAll('"', '""')}"`;
      return [String(name), Number(connection.prepare(`select count(*) as n from ${quoted}`).get()?.n)];
    }),
  );
}

/** Runs one statement. */
type Query = (statement: string) => Awaitable<Record<string, unknown>[]>;

/**
 * What is wrong with a database: pages and indexes that contradict each other, values that their columns do not
 * allow, rows that point nowhere. Empty when it is sound.
 */
export async function findDamage(query: Query): Promise<string[]> {
  try {
    // Reads every page of the file, and those of the indexes in no good order.
    await query("pragma cache_size = -65536");
    const lines = (await query("pragma integrity_check(10)")).map((row) => String(row.integrity_check));
    const dangling = await query('select distinct "table" as child, parent from pragma_foreign_key_check');
    return [
      ...lines.filter((line) => line !== "ok"),
      ...dangling.map(({ child, parent }) => `rows of ${child} point to none of ${parent}`),
    ];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** The same of a file that nobody else uses. @param counts what its tables must have, when that is known */
export async function findDamageIn(path: string, counts?: TableCounts): Promise<string[]> {
  let connection: DatabaseSync | undefined;
  try {
    const reading = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    connection = reading;
    const damage = await findDamage((statement) => reading.prepare(statement).all());
    return damage.length > 0 || counts === undefined ? damage : differences(countTables(reading), counts);
  } catch (error) {
    return [messageOf(error)];
  } finally {
    connection?.close();
  }
}

function differences(found: TableCounts, wanted: TableCounts): string[] {
  const names = new Set([...found.keys(), ...wanted.keys()]);
  return [...names]
    .filter((name) => found.get(name) !== wanted.get(name))
    .map((name) => `${name} has ${found.get(name) ?? "no"} rows instead of ${wanted.get(name) ?? "none"}`);
}

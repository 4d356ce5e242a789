import { DatabaseSync } from "node:sqlite";

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

/**
 * What is wrong with a connection's database: pages and indexes that contradict each other, values that their
 * columns do not allow, rows that point nowhere. Empty when it is sound.
 */
export function findDamage(connection: DatabaseSync): string[] {
  try {
    // Reads every page of the file, and those of the indexes in no good order.
    connection.exec("pragma cache_size = -65536");
    const damage = connection
      .prepare("pragma integrity_check(10)")
      .all()
      .map((row) => String(row.integrity_check))
      .filter((line) => line !== "ok");
    const dangling = connection
      .prepare('select distinct "table" as child, parent from pragma_foreign_key_check')
      .all();
    return [...damage, ...dangling.map(({ child, parent }) => `rows of ${child} point to none of ${parent}`)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** The same of a file that nobody else uses. @param counts what its tables must have, when that is known */
export function findDamageIn(path: string, counts?: TableCounts): string[] {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    const damage = findDamage(connection);
    return damage.length > 0 || counts === undefined ? damage : differences(countTables(connection), counts);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
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

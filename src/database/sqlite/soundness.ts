import { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../../awaitable.ts";
import { messageOf } from "../../errors.ts";
import { onOneLine } from "../../printable.ts";

/** Row counts by table name. */
export type TableCounts = ReadonlyMap<string, number>;

/** The row count of every table, in the connection's transaction. */
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
 * Lists the damage of a database: inconsistent pages and indexes, values that violate constraints, broken foreign
 * keys. Empty when it is intact.
 */
export async function findDamage(query: Query): Promise<string[]> {
  try {
    // Reads every page of the file, those of the indexes in random order.
    await query("pragma cache_size = -65536");
    const lines = (await query("pragma integrity_check(10)")).map((row) => String(row.integrity_check));
    const dangling = await query('select distinct "table" as child, parent from pragma_foreign_key_check');
    return [
      ...lines.filter((line) => line !== "ok"),
      ...dangling.map(({ child, parent }) => `rows of ${child} refer to missing ${parent}`),
    ];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** The first damage of a file that nobody else uses, on one line and without a full stop. */
export async function firstDamageIn(path: string): Promise<string | undefined> {
  try {
    using reading = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    const [first] = await findDamage((statement) => reading.prepare(statement).all());
    return first === undefined ? undefined : onOneLine(first, " ");
  } catch (error) {
    return messageOf(error);
  }
}

import { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../../awaitable.ts";
import { messageOf } from "../../errors.ts";
import { onOneLine } from "../../printable.ts";
import { ABANDONED } from "../abandoned-pages.ts";
import type { Damage } from "../database.ts";

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

/** Looks for inconsistent pages and indexes, values that violate constraints, and broken foreign keys. */
export async function findDamage(query: Query): Promise<Damage> {
  const { lines, unusedPages } = await wholeCheck(query);
  const dangling = await danglingRows(query);
  if (lines.length === 0) return { records: dangling, indexes: [], search: [], unusedPages };
  if (!(await areRecordsWhole(query)))
    return { records: [...lines, ...dangling], indexes: [], search: [], unusedPages };
  const unsound = await unsoundTables(query);
  const search = unsound.filter((name) => name.startsWith("search_"));
  const indexes = unsound.filter((name) => !name.startsWith("search_"));
  return {
    records: dangling,
    indexes: indexes.length > 0 || search.length === 0 ? lines : [],
    search: search.length > 0 ? [`pages of ${search.join(", ")}`] : [],
    unusedPages,
  };
}

/** More lines than there can be of one page. */
const LINES_MAX = 10;
const UNUSED = /^Page \d+: never used$/;

async function wholeCheck(query: Query): Promise<{ lines: string[]; unusedPages: number }> {
  try {
    const hasUnused = await hasAbandonedPages(query);
    // Reads every page of the file, those of the indexes in random order.
    await query("pragma cache_size = -65536");
    const rows = await query(`pragma integrity_check(${hasUnused ? 100_000_000 : LINES_MAX})`);
    const lines = rows
      .flatMap((row) => String(row.integrity_check).split("\n"))
      .filter((line) => line !== "ok" && !line.startsWith("***"));
    const others = hasUnused ? lines.filter((line) => !UNUSED.test(line)) : lines;
    return { lines: others.slice(0, LINES_MAX), unusedPages: lines.length - others.length };
  } catch (error) {
    // It also ends at a page that it cannot read, or at a full-text table that cannot be opened.
    return { lines: [messageOf(error)], unusedPages: 0 };
  }
}

async function hasAbandonedPages(query: Query): Promise<boolean> {
  try {
    return (await query(`select 1 from meta where name = '${ABANDONED}'`)).length > 0;
  } catch {
    return false;
  }
}

async function danglingRows(query: Query): Promise<string[]> {
  try {
    const rows = await query('select distinct "table" as child, parent from pragma_foreign_key_check');
    return rows.map(({ child, parent }) => `rows of ${child} refer to missing ${parent}`);
  } catch {
    // At a damaged page, which the other checks find.
    return [];
  }
}

/** The tables whose pages, indexes or values are damaged. */
async function unsoundTables(query: Query): Promise<string[]> {
  const tables = await query("select name from sqlite_schema where type = 'table'");
  const unsound: string[] = [];
  for (const { name } of tables) {
    if (!(await isSound(query, quotedName(name)))) unsound.push(String(name));
  }
  return unsound;
}

async function isSound(query: Query, table: string): Promise<boolean> {
  try {
    const [row] = await query(`pragma integrity_check(${table})`);
    return row?.integrity_check === "ok";
  } catch {
    return false;
  }
}

/**
 * Whether every row of every table can be read, without its indexes, and no index has a row more: then a damaged page is one
 * of an index.
 */
async function areRecordsWhole(query: Query): Promise<boolean> {
  try {
    const tables = await query(`
      select name from sqlite_schema where type = 'table' and name not like 'search~_%' escape '~'
        and name not like 'sqlite~_%' escape '~'`);
    for (const { name } of tables) if (!(await isWhole(query, String(name)))) return false;
    return true;
  } catch {
    return false;
  }
}

async function isWhole(query: Query, name: string): Promise<boolean> {
  const table = quotedName(name);
  const columns = await query(`select name from pragma_table_info('${name}')`);
  // The last character of a value is on its last page.
  const values = columns
    .map((column) => `sum(instr(substr(${quotedName(column.name)}, -1), 'x'))`)
    .join(", ");
  const [row] = await query(`select count(*) as n, ${values} from ${table} not indexed`);
  const indexes = await query(`select name from pragma_index_list('${name}') where partial = 0`);
  for (const index of indexes)
    if ((await entriesIn(query, table, quotedName(index.name))) > Number(row?.n)) return false;
  return true;
}

/** 0 of an index that cannot be read. */
async function entriesIn(query: Query, table: string, index: string): Promise<number> {
  try {
    const [row] = await query(`select count(*) as n from ${table} indexed by ${index}`);
    return Number(row?.n);
  } catch {
    return 0;
  }
}

function quotedName(name: unknown): string {
  return `"${String(name).replaceAll('"', '""')}"`;
}

/** The first damage of a file that nobody else uses, on one line and without a full stop. */
export async function firstDamageIn(path: string): Promise<string | undefined> {
  try {
    using reading = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    const { records, indexes, search } = await findDamage((statement) => reading.prepare(statement).all());
    const [first] = [...records, ...indexes, ...search];
    return first === undefined ? undefined : onOneLine(first, " ");
  } catch (error) {
    return messageOf(error);
  }
}

import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Sql, Value } from "../database.ts";
import { type Bound, Fragment, flatten } from "../fragment.ts";
import { padded } from "../padded.ts";
import { sqliteRefusal } from "./errors.ts";
import { refuseOrphanedLog } from "./file.ts";

/**
 * Opens one connection. Its busy timeout is 0, since SQLite would block the whole process while it waits for a
 * lock: callers retry asynchronously (`retryWhileLocked`).
 *
 * @throws StartError when there is a write-ahead log, but no database
 */
export function connect(location: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  refuseOrphanedLog(location);
  const connection = new DatabaseSync(location, { readOnly, timeout: 0, enableForeignKeyConstraints: true });
  try {
    configure(connection, readOnly);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

function configure(connection: DatabaseSync, readOnly: boolean): void {
  connection.exec("pragma trusted_schema = off");
  if (!readOnly) {
    // FULL: a commit returns when the write-ahead log is synced. All durability rests on this. Checkpoints run
    // every 16 MiB of log instead of 4, so that pages changed by many commits are written back once.
    connection.exec(
      "pragma synchronous = full; pragma journal_size_limit = 67108864; pragma wal_autocheckpoint = 4000",
    );
  }
}

type Plain = Value | readonly number[];

/**
 * The {@link Sql} of one connection. A template's strings are one object per call site, so that object identifies its
 * prepared statement.
 *
 * @param before called with the text of each statement before it runs; one object per text
 */
export function createSql(
  connection: DatabaseSync,
  before: (text: TemplateStringsArray) => void = () => {},
): Sql {
  const prepared = new WeakMap<TemplateStringsArray, PreparedStatement>();
  const withLists = new Map<string, StatementSync>();

  const sql = <Row>(template: TemplateStringsArray, ...given: Bound[]) => {
    try {
      const own = plainValues(given);
      const { text, values } =
        own === undefined ? flatten(template, given) : { text: template, values: given };
      before(text);
      const plain = own ?? plainValues(values);
      if (plain === undefined) return withList<Row>(text, values as readonly Plain[]);
      let run = prepared.get(text);
      if (run === undefined) {
        run = prepare(connection, text.join("?"));
        prepared.set(text, run);
      }
      return run(plain) as Row[];
    } catch (error) {
      throw sqliteRefusal(error);
    }
  };
  return Object.assign(sql, { slot: 0 });

  function withList<Row>(text: TemplateStringsArray, values: readonly Plain[]): Row[] {
    const lists = values.map((value) => (isList(value) ? padded(value) : value));
    const query = text.reduce((before, after, index) => `${before}${placeholders(lists[index - 1])}${after}`);
    const statement = withLists.get(query) ?? connection.prepare(query);
    withLists.set(query, statement);
    return statement.all(...lists.flatMap((value) => (isList(value) ? value : bindable(value)))) as Row[];
  }
}

/** An `insert` of one row that returns one column. */
const ONE_ROW =
  /^\s*insert into (\w+) \([^()]*\)\s+values \([^()]*\)(\s+on conflict \(\w+\) do nothing)?\s+returning (\w+)\s*$/;

/** Runs a statement with values for its placeholders, and returns its rows. */
type PreparedStatement = (values: SQLInputValue[]) => unknown[];

function prepare(connection: DatabaseSync, query: string): PreparedStatement {
  const [, table, , column] = ONE_ROW.exec(query) ?? [];
  if (table === undefined || column === undefined || rowIdOf(connection, table) !== column) {
    const statement = connection.prepare(query);
    return (values) => statement.all(...values);
  }
  // SQLite reports the id of the row anyway; with `returning`, a short insert takes twice as long.
  const statement = connection.prepare(query.slice(0, query.lastIndexOf("returning")));
  return (values) => {
    const { changes, lastInsertRowid } = statement.run(...values);
    return changes === 0 ? [] : [{ [column]: lastInsertRowid }];
  };
}

/** The column that holds the row's id in SQLite's sense; undefined if the table has none. */
function rowIdOf(connection: DatabaseSync, table: string): string | null | undefined {
  try {
    return connection.prepare(`select rowid from ${table}`).columns()[0]?.column;
  } catch {
    // A table `without rowid`.
    return undefined;
  }
}

/** Runs a statement with values for its placeholders, and returns its rows. */
export type RunStatement = (query: string, values: readonly SQLInputValue[]) => unknown[];

/** The {@link Sql} of a connection in the same thread, which is given as a function. */
export function sqlThrough(run: RunStatement): Sql {
  const sql = <Row>(template: TemplateStringsArray, ...given: Bound[]) => {
    const { query, values } = boundStatement(template, given);
    return run(query, values) as Row[];
  };
  return Object.assign(sql, { slot: 0 });
}

/** The text and the ordered values of a statement, for a connection of another thread. */
export function boundStatement(template: TemplateStringsArray, given: readonly Bound[]) {
  const { text, values } = flatten(template, given);
  const lists = values.map((value) => (isList(value) ? padded(value) : value));
  return {
    query: text.reduce((before, after, index) => `${before}${placeholders(lists[index - 1])}${after}`),
    values: lists.flatMap((value) => (isList(value) ? [...value] : [bindable(value)])),
  };
}

/** The values as SQLite takes them, in one pass, since each statement needs it; undefined if one is a list or a fragment. */
function plainValues(given: readonly Bound[]): SQLInputValue[] | undefined {
  const plain: SQLInputValue[] = [];
  for (const value of given) {
    if (isList(value) || value instanceof Fragment) return undefined;
    plain.push(bindable(value));
  }
  return plain;
}

function placeholders(value: Plain | undefined): string {
  return isList(value) ? `(${value.map(() => "?").join(", ")})` : "?";
}

function isList(value: Bound | undefined): value is readonly number[] {
  return Array.isArray(value);
}

function bindable(value: Value): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value instanceof Date ? value.getTime() : value;
}

import { existsSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Sql, Value } from "../database.ts";
import { type Bound, Fragment, flatten } from "../fragment.ts";
import { padToPowerOfTwo } from "../pad-to-power-of-two.ts";
import { abandonTables } from "./abandoned-tables.ts";
import { isReadOnlyFileSystem } from "./disk-reserve.ts";
import { sqliteRefusal } from "./errors.ts";
import { logOf, refuseOrphanedLog } from "./file.ts";

/**
 * Opens one connection. Its busy timeout is 0, since SQLite would block the whole process while it waits for a
 * lock: callers retry asynchronously (`retryWhileLocked`).
 *
 * @throws StartError when there is a write-ahead log, but no database
 */
export function connect(location: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  refuseOrphanedLog(location);
  const connection = open(location, readOnly);
  try {
    configure(connection, readOnly);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

function open(location: string, readOnly: boolean): DatabaseSync {
  const options = { readOnly, timeout: 0, enableForeignKeyConstraints: true };
  // A database without a log can be opened on a read-only file system only as one that nobody changes.
  if (readOnly && existsSync(location) && !existsSync(logOf(location)) && isReadOnlyFileSystem(location))
    return new DatabaseSync(`${pathToFileURL(location)}?immutable=1`, options);
  return new DatabaseSync(location, options);
}

function configure(connection: DatabaseSync, readOnly: boolean): void {
  connection.exec("pragma trusted_schema = off");
  if (!readOnly) {
    // FULL: a commit returns when the write-ahead log is synced. All durability rests on this. Checkpoints run
    // every 16 MiB of log instead of 4, so that pages changed by many commits are written back once; those of a server
    // are in `checkpoints.ts`.
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
 * @param refusal what a failed statement throws
 */
export function createSql(
  connection: DatabaseSync,
  before: (text: TemplateStringsArray) => void = () => {},
  refusal: (error: unknown) => unknown = sqliteRefusal,
): Sql {
  const prepared = new WeakMap<TemplateStringsArray, StatementSync>();
  const withLists = new Map<string, StatementSync>();

  const sql = <Row>(template: TemplateStringsArray, ...given: Bound[]) => {
    try {
      const own = plainValues(given);
      const { text, values } =
        own === undefined ? flatten(template, given) : { text: template, values: given };
      before(text);
      const plain = own ?? plainValues(values);
      if (plain === undefined) return withList<Row>(text, values as readonly Plain[]);
      let statement = prepared.get(text);
      if (statement === undefined) {
        statement = connection.prepare(text.join("?"));
        prepared.set(text, statement);
      }
      return statement.all(...plain) as Row[];
    } catch (error) {
      throw refusal(error);
    }
  };
  const abandon = (prefix: string) => abandonTables(connection, prefix);
  return Object.assign(sql, { engine: "sqlite" as const, slot: 0, abandonTables: abandon });

  function withList<Row>(text: TemplateStringsArray, values: readonly Plain[]): Row[] {
    const lists = values.map((value) => (isList(value) ? padToPowerOfTwo(value) : value));
    const query = text.reduce((before, after, index) => `${before}${placeholders(lists[index - 1])}${after}`);
    const statement = withLists.get(query) ?? connection.prepare(query);
    withLists.set(query, statement);
    return statement.all(...lists.flatMap((value) => (isList(value) ? value : bindable(value)))) as Row[];
  }
}

/** The text and the ordered values of a statement, for a connection of another thread. */
export function boundStatement(template: TemplateStringsArray, given: readonly Bound[]) {
  const { text, values } = flatten(template, given);
  const lists = values.map((value) => (isList(value) ? padToPowerOfTwo(value) : value));
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

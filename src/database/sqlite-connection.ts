import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Sql, Value } from "./database.ts";
import { sqliteRefusal } from "./sqlite-errors.ts";

/**
 * Opens one connection. Its busy time-out is nought, since SQLite would wait for a lock by putting the
 * whole process to sleep: whoever needs a lock tries again by itself (`whenUnlocked`).
 */
export function connect(location: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  const connection = new DatabaseSync(location, { readOnly, timeout: 0, enableForeignKeyConstraints: true });
  connection.exec("pragma trusted_schema = off");
  if (!readOnly) {
    // FULL: a commit returns when the write-ahead log is on the disk. Everything rests on this.
    connection.exec("pragma synchronous = full; pragma journal_size_limit = 67108864");
  }
  return connection;
}

type Bound = Value | readonly number[];

/**
 * The {@link Sql} of one connection. A template's strings are one object per call site, so they are the
 * key of the statement that was prepared for it.
 */
export function speak(connection: DatabaseSync): Sql {
  const prepared = new WeakMap<TemplateStringsArray, StatementSync>();
  const withLists = new Map<string, StatementSync>();

  const sql = <Row>(text: TemplateStringsArray, ...values: Bound[]) => {
    try {
      if (values.some(isList)) return withList<Row>(text, values);
      let statement = prepared.get(text);
      if (statement === undefined) {
        statement = connection.prepare(text.join("?"));
        prepared.set(text, statement);
      }
      return statement.all(...values.map(bindable)) as Row[];
    } catch (error) {
      throw sqliteRefusal(error);
    }
  };
  return Object.assign(sql, { slot: 0 });

  function withList<Row>(text: TemplateStringsArray, values: readonly Bound[]): Row[] {
    const padded = values.map((value) => (isList(value) ? pad(value) : value));
    const query = text.reduce(
      (before, after, index) => `${before}${placeholders(padded[index - 1])}${after}`,
    );
    const statement = withLists.get(query) ?? connection.prepare(query);
    withLists.set(query, statement);
    return statement.all(...padded.flatMap((value) => (isList(value) ? value : bindable(value)))) as Row[];
  }
}

/** A list as long as a power of two, its last item repeated: so a call site has few different statements. */
function pad(list: readonly number[]): readonly number[] {
  const length = 2 ** Math.ceil(Math.log2(list.length));
  return Array.from({ length }, (_, index) => list[Math.min(index, list.length - 1)] ?? 0);
}

function placeholders(value: Bound | undefined): string {
  return isList(value) ? `(${value.map(() => "?").join(", ")})` : "?";
}

function isList(value: Bound | undefined): value is readonly number[] {
  return Array.isArray(value);
}

function bindable(value: Bound): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value instanceof Date ? value.getTime() : (value as SQLInputValue);
}

import { DatabaseSync, type StatementSync } from "node:sqlite";

const SCHEMA = `
  pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -4096; pragma page_size = 16384;
  begin;
  create table items (number integer primary key, kind text not null, key text, parent text, rank real, value text not null);
  create index items_by_key on items (kind, key);
  create index items_by_parent on items (kind, parent, rank);
`;

/**
 * Objects of a file that refer to each other in any order, in a temporary SQLite database, so that memory does not grow
 * with the file.
 */
export class RawItems implements Disposable {
  readonly #scratch = new DatabaseSync("");
  readonly #statements = new Map<string, StatementSync>();

  constructor() {
    this.#scratch.exec(SCHEMA);
  }

  add(
    kind: string,
    value: unknown,
    {
      key = null,
      parent = null,
      rank = 0,
    }: { key?: string | null; parent?: string | null; rank?: number } = {},
  ): void {
    this.#prepare("insert into items (kind, key, parent, rank, value) values (?, ?, ?, ?, ?)").run(
      ...[kind, key, parent, rank],
      JSON.stringify(value),
    );
  }

  /** All of a kind, in the order of the file. */
  *all<T>(kind: string): Generator<T> {
    const next = this.#prepare(
      "select number, value from items where kind = ? and number > ? order by number limit 50",
    );
    for (let last = 0; ; ) {
      const rows = next.all(kind, last);
      if (rows.length === 0) return;
      for (const { value } of rows) yield JSON.parse(String(value)) as T;
      last = Number(rows.at(-1)?.number);
    }
  }

  find<T>(kind: string, key: string): T | undefined {
    const row = this.#prepare("select value from items where kind = ? and key = ? limit 1").get(kind, key);
    return row && (JSON.parse(String(row.value)) as T);
  }

  /** Those that belong to another one, by their rank. */
  of<T>(kind: string, parent: string): T[] {
    const rows = this.#prepare(
      "select value from items where kind = ? and parent = ? order by rank, number",
    ).all(kind, parent);
    return rows.map(({ value }) => JSON.parse(String(value)) as T);
  }

  [Symbol.dispose](): void {
    this.#scratch.close();
  }

  #prepare(statement: string): StatementSync {
    const known = this.#statements.get(statement) ?? this.#scratch.prepare(statement);
    this.#statements.set(statement, known);
    return known;
  }
}

import { setImmediate } from "node:timers/promises";
import { TemporaryDatabase } from "../../temporary-database.ts";

const SCHEMA = `
  create table items (number integer primary key, kind text not null, key text, parent text, rank real, value text not null);
  create index items_by_key on items (kind, key);
  create index items_by_parent on items (kind, parent, rank);
`;

/**
 * Objects of a file that refer to each other in any order, kept in a temporary SQLite database, so that memory does
 * not grow with the file.
 */
export class RawItems implements Disposable {
  readonly #scratch = new TemporaryDatabase(SCHEMA);

  add(
    kind: string,
    value: unknown,
    {
      key = null,
      parent = null,
      rank = 0,
    }: { key?: string | null; parent?: string | null; rank?: number } = {},
  ): void {
    this.#scratch.run(
      "insert into items (kind, key, parent, rank, value) values (?, ?, ?, ?, ?)",
      ...[kind, key, parent, rank, JSON.stringify(value)],
    );
  }

  /** All of a kind, in the order of the file; pauses now and then for other requests. */
  async *all<T>(kind: string): AsyncGenerator<T> {
    for (let last = 0; ; ) {
      const rows = this.#scratch.all(
        "select number, value from items where kind = ? and number > ? order by number limit 50",
        ...[kind, last],
      );
      if (rows.length === 0) return;
      for (const { value } of rows) yield JSON.parse(String(value)) as T;
      last = Number(rows.at(-1)?.number);
      await setImmediate();
    }
  }

  /** Those of a kind that belong to no other, by their rank. */
  async *ranked<T>(kind: string): AsyncGenerator<T> {
    const query = `
      select number, rank, value from items
      where kind = ? and parent is null and (rank, number) > (?, ?) order by rank, number limit 50`;
    for (let [rank, number] = [Number.NEGATIVE_INFINITY, 0]; ; ) {
      const rows = this.#scratch.all(query, kind, rank, number);
      if (rows.length === 0) return;
      for (const { value } of rows) yield JSON.parse(String(value)) as T;
      [rank, number] = [Number(rows.at(-1)?.rank), Number(rows.at(-1)?.number)];
      await setImmediate();
    }
  }

  find<T>(kind: string, key: string): T | undefined {
    const row = this.#scratch.get("select value from items where kind = ? and key = ? limit 1", kind, key);
    return row && (JSON.parse(String(row.value)) as T);
  }

  /** The objects that belong to another one, by rank. */
  of<T>(kind: string, parent: string): T[] {
    const rows = this.#scratch.all(
      "select value from items where kind = ? and parent = ? order by rank, number",
      ...[kind, parent],
    );
    return rows.map(({ value }) => JSON.parse(String(value)) as T);
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }
}

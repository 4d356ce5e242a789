import { rmSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { noTemporarySpace } from "./temporary-file.ts";

/** SQLITE_FULL (sqlite.org/rescode.html). */
const FULL = 13;

type Row = Record<string, unknown>;

/**
 * An unnamed SQLite database in a temporary file, which is deleted with its connection: for data that would not fit in
 * memory. Writes throw Refusal `storage_full` when the disk is full.
 */
export class TemporaryDatabase implements Disposable {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param schema a script that creates the tables; "" for a database that has them
   * @param path of a named file, which another process opens later
   */
  constructor(schema: string, path = "") {
    if (schema !== "" && path !== "") rmSync(path, { force: true });
    // Without a journal, SQLite writes to a file whose name is removed while it is open; the defensive mode wants one.
    this.#database = new DatabaseSync(path, { defensive: path === "" });
    this.exec(`
      pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -4096; pragma page_size = 16384;
      begin;
      ${schema}`);
  }

  /** Ends the work on a named file, so that another process can open it. */
  keep(): void {
    this.exec("commit");
    this.#database.close();
  }

  /** Runs a script. */
  exec(script: string): void {
    attempt(() => this.#database.exec(script));
  }

  /** Runs a statement. @returns the number of changed rows */
  run(statement: string, ...values: SQLInputValue[]): number {
    return attempt(() => Number(this.#prepare(statement).run(...values).changes));
  }

  /** The first row of a query. */
  get(query: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(query).get(...values);
  }

  /** All rows of a query. */
  all(query: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(query).all(...values);
  }

  /** The rows of a query, one by one. Each iteration has a statement of its own, so that they can be nested. */
  iterate(query: string, ...values: SQLInputValue[]): IterableIterator<Row> {
    return this.#database.prepare(query).iterate(...values);
  }

  /** The rows of a query, read whenever they are iterated. */
  list<T>(query: string): Iterable<T> {
    const iterate = () => this.iterate(query);
    return {
      *[Symbol.iterator]() {
        for (const row of iterate()) yield { ...row } as T;
      },
    };
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #prepare(statement: string): StatementSync {
    const known = this.#statements.get(statement) ?? this.#database.prepare(statement);
    this.#statements.set(statement, known);
    return known;
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isFull = error instanceof Error && "errcode" in error && error.errcode === FULL;
    throw isFull ? noTemporarySpace(error) : error;
  }
}

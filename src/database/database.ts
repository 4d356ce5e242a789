import type { Awaitable } from "../awaitable.ts";
import type { Bound } from "./fragment.ts";

export type { Instant, Value } from "./value.ts";

/**
 * The one interface that stores speak, whichever engine lies beneath. SQL is written once, in the
 * dialect that SQLite and PostgreSQL share, as tagged templates whose values are bound, never spliced.
 */

/**
 * Runs one statement and returns its rows. Each call site is prepared once. An array of ids, never empty,
 * stands for a list in parentheses: `where id in ${ids}`. What a statement shares with others, or takes in a
 * varying number, is a `Fragment` (`database/fragment.ts`).
 */
export interface Sql {
  <Row = Record<string, unknown>>(text: TemplateStringsArray, ...values: Bound[]): Awaitable<Row[]>;
  /** The slot of `counters` that this connection adds to, so that writers do not queue behind one row. */
  readonly slot: number;
}

/** Told of what a database does, while it does it. */
export interface DatabaseObserver {
  /** A transaction is on the disk; `writes` pieces of work shared it. */
  committed(writes: number, milliseconds: number): void;
  /** A transaction met another's, and is run again. */
  retried(): void;
}

/** What a database is like at the moment. */
export interface DatabaseState {
  /** The connections to a server. */
  readonly pool?: {
    /** The most that there may be. */
    readonly size: number;
    /** The most that write at once. */
    readonly writersMax: number;
    readonly writers: number;
    /** Writers that wait for others to finish. */
    readonly writersWaiting: number;
    /** What was asked of the server and has not been answered, waiting for a connection included. */
    readonly asked: number;
  };
  /** Files of this process's own database, in bytes. */
  readonly files?: { readonly database: number; readonly log: number };
}

export interface Database {
  readonly engine: "sqlite" | "postgres";

  /** Random at creation and new after a restore: tags and cursors of another epoch are worthless. */
  readonly epoch: string;

  /** Where the data lies, for people: a path, or host and database name; never a password. */
  readonly location: string;

  /** Reads outside any transaction: sees everything that was confirmed, by this process or another. */
  readonly read: Sql;

  /**
   * Another value after any commit, by this process or another. What was read after asking for it holds as
   * long as it stays the same.
   */
  stamp(): Awaitable<number | string>;

  /**
   * Runs `work` in a write transaction and resolves when its result is durable. When `work` throws,
   * everything that it did is undone, and nothing that others did. `work` awaits nothing but `sql`.
   *
   * @throws Refusal `unavailable` when the database cannot be reached or stays locked,
   *   `storage_full` when there is no room.
   */
  write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T>;

  /**
   * Answers when the database answers and its schema is one that this program can work with.
   * @throws Refusal `unavailable` otherwise.
   */
  ready(): Promise<void>;

  /** Costs next to nothing, and never waits. */
  state(): DatabaseState;

  /** Finishes the writes under way, then closes. */
  close(): Promise<void>;
}

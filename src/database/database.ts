import type { Awaitable } from "../awaitable.ts";
import type { Clock } from "../clock.ts";
import type { Refusal } from "../errors.ts";
import type { Bound } from "./fragment.ts";

export type { Instant, Value } from "./value.ts";

/**
 * The interface between stores and engines. SQL is written once, in the dialect that SQLite and PostgreSQL
 * share, as tagged templates whose values are bound, never spliced.
 */

export type Engine = "sqlite" | "postgres";

/**
 * Runs one statement and returns its rows. Each call site is prepared once. An array of ids, never empty,
 * stands for a list in parentheses: `where id in ${ids}`. Parts shared by several statements, and lists of rows,
 * are fragments (`database/fragment.ts`).
 */
export interface Sql {
  <Row = Record<string, unknown>>(text: TemplateStringsArray, ...values: Bound[]): Awaitable<Row[]>;
  readonly engine: Engine;
  /** The slot of `counters` that this connection adds to, so that writers do not contend for one row. */
  readonly slot: number;
  /**
   * Sends a statement without waiting for its response. If it fails, the transaction fails at its end. Absent where
   * statements need no round trip: use {@link withoutResult}.
   */
  readonly post?: (text: TemplateStringsArray, ...values: Bound[]) => void;
  /** SQLite: takes tables out of the schema whose pages may be damaged (`abandoned-tables.ts`). @param prefix of their names */
  readonly abandonTables?: (prefix: string) => void;
  /** Whether the work runs again, in a savepoint, since SQLite refused a statement of it or of others in its commit. */
  readonly isRepeated?: boolean;
  /** Whether it keeps one of few snapshots open: callers that must wait throw `WaitOutside` (`read-together.ts`) then. */
  readonly mustNotWait?: () => boolean;
}

/** Runs statements whose results nobody reads. On PostgreSQL, they cost no round trip. */
export function withoutResult(
  sql: Sql,
): (text: TemplateStringsArray, ...values: Bound[]) => Awaitable<unknown> {
  return sql.post ?? sql;
}

/** Callbacks for metrics. */
export interface DatabaseObserver {
  /** A transaction is durable; `writes` pieces of work shared it. */
  committed(writes: number, milliseconds: number): void;
  /** A transaction conflicted with another one and is run again. */
  retried(): void;
  /** SQLite: the write-ahead log could not be checkpointed. */
  checkpointFailed(): void;
}

/** The current state of a database, for metrics. */
export interface DatabaseState {
  /** The connection pool, on PostgreSQL. */
  readonly pool?: {
    /** The maximum number of connections. */
    readonly size: number;
    /** The maximum number of concurrent writers. */
    readonly writersMax: number;
    readonly writers: number;
    /** Writers waiting for a connection. */
    readonly writersWaiting: number;
    /** Statements without a response yet, including those waiting for a connection. */
    readonly pendingStatements: number;
  };
  /** Reads that standbys may answer, so far: those that one has answered, and those left to the primary, by the reason. */
  readonly standbys?: Readonly<Record<"standby" | "behind" | "away" | "busy", number>> | undefined;
  /** The sizes of a SQLite database's files, in bytes. */
  readonly files?: { readonly database: number; readonly log: number };
  /** When the last backup of a SQLite database was made by the command, in milliseconds since 1970. */
  readonly backedUpAt?: number | undefined;
}

/** What is damaged in a database, each a list of clauses for people. All are empty when nothing is. */
export interface Damage {
  /** Rows, or what cannot be told apart from them: only a backup has what is lost. */
  readonly records: readonly string[];
  /** Indexes of records, and the list of free pages, while all records are whole: they are rebuilt from the records. */
  readonly indexes: readonly string[];
  /** The search index, while all records are whole. */
  readonly search: readonly string[];
  /** The pages that belong to nothing since a damaged table was abandoned. They do no harm. */
  readonly unusedPages: number;
}

/** Compared for equality alone. */
export type Stamp = number | string;

export interface Database {
  readonly engine: Engine;

  /** The time that records get, and by which everything that ends has ended. */
  readonly clock: Clock;

  /** Random at creation and new after a restore. Entity tags and cursors of another epoch are invalid. */
  readonly epoch: string;

  /** The location of the data, for people: a path, or host and database name; never a password. */
  readonly location: string;

  /** Reads outside any transaction. Sees every confirmed write of every process. */
  readonly read: Sql;

  /** The same for reads of many rows, which a standby of PostgreSQL may answer: with some rows, asking it costs more than it saves. */
  readonly readMany: Sql;

  /**
   * A value that changes with every commit of every process. Rows that are read after the stamp are current as long
   * as the stamp has not changed.
   */
  stamp(): Awaitable<Stamp>;

  /** As {@link stamp} where it costs no round trip, else undefined. */
  stampNow(): Stamp | undefined;

  /**
   * Runs `work` in a write transaction and resolves when the result is durable. When `work` throws, its own
   * changes are rolled back, and no others. `work` awaits nothing but `sql`. It may run more than once, with the
   * changes of its earlier runs rolled back: after a conflict with another transaction, or when another piece of work
   * that shared the transaction has failed.
   *
   * @throws Refusal `unavailable` when the database cannot be reached or stays locked,
   *   `storage_full` when there is no room, `read_only` when it can only be read.
   */
  write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T>;

  /**
   * Why nothing can be stored at the moment: `read_only`, or `storage_full` on SQLite from a write that failed until there
   * is room. Undefined when it can be tried. Cheap; never waits.
   */
  obstacle(): Refusal | undefined;

  /** Gives up room that is set aside for a full disk: for deleting and signing in. */
  releaseReserve(): void;

  /**
   * Runs reads that may be slow separately from all others, which do not wait for them: on SQLite in a thread, on
   * PostgreSQL on separate connections, or on a standby.
   *
   * @param deadline by the monotonic clock (`performance.now()`), in milliseconds
   * @returns an `Sql` whose statements throw ReadTimeout after the deadline
   */
  readApart(deadline: number): Sql;

  /**
   * Runs reads that all see the same snapshot, on PostgreSQL maybe on a standby: for responses of more than one statement. A
   * few are open at a time, and others wait. So `work` waits for no other snapshot, search, rendering or client: responses
   * use `readTogether`. It may run more than once, when a statement fails on a standby.
   */
  snapshot<T>(work: (sql: Sql) => Awaitable<T>): Promise<T>;

  /**
   * Resolves when the database answers and has a schema that this program supports.
   * @throws Refusal `unavailable` otherwise.
   */
  ready(): Promise<void>;

  /** Looks at every page of a SQLite file, in a thread. Undefined on PostgreSQL, which looks after its own. */
  findDamage(): Promise<Damage | undefined>;

  /** Cheap; never waits. */
  state(): DatabaseState;

  /** Finishes the writes in progress, then closes. */
  close(): Promise<void>;
}

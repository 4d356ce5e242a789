import { closeSync, existsSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Awaitable } from "../../awaitable.ts";
import { StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Database, DatabaseObserver, DatabaseState, Sql } from "../database.ts";
import type { Bound } from "../fragment.ts";
import { checkSchema, type Migratable, type Migration, migrate } from "../migrate.ts";
import { sqliteMigrations } from "../migrations/sqlite.ts";
import { Checkpoints } from "./checkpoints.ts";
import { boundStatement, connect, createSql } from "./connection.ts";
import { hasMoved, sqliteRefusal, sqliteStartError } from "./errors.ts";
import { APPLICATION_ID, createFolder, refuseForeignFile, refuseOrphanedLog, sizeOf } from "./file.ts";
import { FilesInPlace } from "./files-in-place.ts";
import { LazyWriter } from "./lazy-writer.ts";
import { retryWhileLocked } from "./locks/retry-while-locked.ts";
import { TurnReadLock } from "./locks/turn-read-lock.ts";
import { ReaderThreads } from "./readers/reader-threads.ts";
import { SnapshotReader } from "./readers/snapshot-reader.ts";
import { SqliteWriter } from "./writer.ts";

export interface SqliteOptions {
  /** How long to wait for another process's write lock, in milliseconds. */
  readonly lockWait?: number;
  /** Whether a missing file is an error instead of being created. */
  readonly mustExist?: boolean;
  readonly observer?: DatabaseObserver | undefined;
  /** Logs problems with the files while they are in use. */
  readonly log?: Log | undefined;
  /** Whether this process serves requests. */
  readonly isServed?: boolean | undefined;
  /** Whether reads of one turn of the event loop share a lock: for the only process that serves requests. */
  readonly sharesReadLock?: boolean | undefined;
}

/**
 * Opens a SQLite database, creating folder and file where needed (readable by their owner only), and
 * brings its schema up to date. One connection writes, one reads; other processes may do the same.
 *
 * @throws StartError when it cannot be opened, is not a database, belongs to another program or needs a newer version.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Database> {
  const { mustExist = false } = options;
  const location = resolve(path);
  if (mustExist && !existsSync(location)) throw new StartError(`No database at ${location}.`, 1);
  try {
    return await open(location, options).catch((error) => {
      // A restore has replaced the file while it was being opened: open the new one.
      if (hasMoved(error)) return open(location, options);
      throw error;
    });
  } catch (error) {
    throw error instanceof StartError ? error : sqliteStartError(location, error);
  }
}

async function open(location: string, options: SqliteOptions): Promise<Database> {
  const { lockWait = 5_000, observer, log, isServed, sharesReadLock } = options;
  let writing: DatabaseSync | undefined;
  try {
    refuseOrphanedLog(location);
    createPrivately(location);
    writing = await retryWhileLocked(lockWait, () => connect(location, { readOnly: false }));
    await prepare(writing, location, lockWait);
    const connection = writing;
    const openReader = () => retryWhileLocked(lockWait, () => connect(location, { readOnly: true }));
    const reading = await openReader();
    const checkpoints = new Checkpoints(connection, location, { observer, log, isServed });
    // Checkpoints the log of a killed process, or of the migrations of a new database.
    checkpoints.run();
    const files = new FilesInPlace(location, log);
    const readLock = sharesReadLock ? new TurnReadLock(await openReader()) : undefined;
    const hooks = {
      beforeCommit: () => {
        files.check();
        readLock?.release();
      },
      afterCommit: () => checkpoints.runIfDue(),
    };
    const writer = new SqliteWriter(connection, lockWait, { observer, ...hooks });
    const deriver = new LazyWriter(location, lockWait, hooks);
    return await retryWhileLocked(
      lockWait,
      () =>
        new SqliteDatabase({
          ...{ location, writing: connection, reading, readLock, writer, deriver, checkpoints, files },
        }),
    );
  } catch (error) {
    writing?.close();
    throw error;
  }
}

interface SqliteDependencies {
  readonly location: string;
  readonly writing: DatabaseSync;
  readonly reading: DatabaseSync;
  readonly readLock: TurnReadLock | undefined;
  readonly writer: SqliteWriter;
  readonly deriver: LazyWriter;
  readonly checkpoints: Checkpoints;
  readonly files: FilesInPlace;
}

class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly epoch: string;
  readonly location: string;
  readonly read: Sql;
  /** Changes when another connection commits; this one only reads (sqlite.org/pragma.html). */
  readonly #dataVersion: StatementSync;
  #lastStamp: number | undefined;
  readonly #writing: DatabaseSync;
  readonly #reading: DatabaseSync;
  readonly #readLock: TurnReadLock | undefined;
  readonly #writer: SqliteWriter;
  readonly #deriver: LazyWriter;
  readonly #checkpoints: Checkpoints;
  readonly #readers: ReaderThreads;
  readonly #files: FilesInPlace;
  readonly #snapshots: SnapshotReader;

  constructor(dependencies: SqliteDependencies) {
    const { location, writing, reading, readLock, writer, deriver, checkpoints, files } = dependencies;
    this.#checkpoints = checkpoints;
    this.#files = files;
    this.#deriver = deriver;
    this.#readers = new ReaderThreads(location);
    this.#snapshots = new SnapshotReader(location);
    this.location = location;
    this.#writing = writing;
    this.#reading = reading;
    this.#readLock = readLock;
    this.read = createSql(reading, readLock && (() => readLock.beforeStatement()));
    this.#dataVersion = reading.prepare("pragma data_version");
    this.#writer = writer;
    const row = reading.prepare("select value from meta where name = 'epoch'").get();
    this.epoch = String(row?.value);
  }

  stamp(): number {
    try {
      this.#readLock?.beforeStatement();
      const stamp = Number(this.#dataVersion.get()?.data_version);
      // A lock from before a commit speeds up nothing.
      if (stamp !== this.#lastStamp) this.#readLock?.release();
      this.#lastStamp = stamp;
      return stamp;
    } catch (error) {
      throw sqliteRefusal(error);
    }
  }

  stampNow(): number {
    return this.stamp();
  }

  write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    return this.#writer.write(work);
  }

  derive<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    return this.#deriver.write(work);
  }

  readApart(deadline: number): Sql {
    const sql = async <Row>(template: TemplateStringsArray, ...given: Bound[]) => {
      const { query, values } = boundStatement(template, given);
      try {
        return (await this.#readers.read({ text: query, values }, deadline)) as Row[];
      } catch (error) {
        throw sqliteRefusal(error);
      }
    };
    return Object.assign(sql, { slot: 0 });
  }

  async runApart(module: string, input: unknown, deadline: number): Promise<unknown> {
    try {
      return await this.#readers.read({ module, input }, deadline);
    } catch (error) {
      throw sqliteRefusal(error);
    }
  }

  snapshot<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    return this.#snapshots.read(work);
  }

  async ready(): Promise<void> {
    this.#files.check();
    return checkSchema(this.read, sqliteMigrations);
  }

  state(): DatabaseState {
    return { files: { database: sizeOf(this.location), log: sizeOf(`${this.location}-wal`) } };
  }

  async close(): Promise<void> {
    this.#readers.close();
    await this.#writer.finish();
    await this.#deriver.close();
    await this.#checkpoints.close();
    await this.#snapshots.close();
    this.#readLock?.close();
    this.#reading.close();
    this.#writing.close();
  }
}

/** Creates folder and file with access for their owner only; SQLite gives its side files the same mode. */
export function createPrivately(location: string): void {
  createFolder(dirname(location));
  // Never opened while SQLite has it open: closing a file drops every lock that this process has on it (POSIX).
  if (!existsSync(location)) closeSync(openSync(location, "a", 0o600));
}

async function prepare(connection: DatabaseSync, location: string, lockWait: number): Promise<void> {
  await retryWhileLocked(lockWait, () => {
    refuseForeignFile(connection, location);
    connection.exec("pragma journal_mode = wal; begin immediate");
  });
  try {
    refuseForeignFile(connection, location);
    await migrate(migratable(connection), sqliteMigrations);
    connection.exec(`pragma application_id = ${APPLICATION_ID}; commit`);
  } catch (error) {
    if (connection.isTransaction) connection.exec("rollback");
    throw error;
  }
}

export function migratable(connection: DatabaseSync): Migratable {
  connection.exec(`create table if not exists migrations (
    number integer primary key, name text not null, applied_at integer not null
  ) strict`);
  return {
    applied: async () =>
      connection
        .prepare("select number, name from migrations")
        .all()
        .map(({ number, name }) => ({ number: Number(number), name: String(name) })),
    meta: async (name) => {
      const value = connection.prepare("select value from meta where name = ?").get(name)?.value;
      return value === undefined ? undefined : String(value);
    },
    apply: async ({ number, name, script }: Migration) => {
      connection.exec(script);
      connection.prepare("insert into migrations values (?, ?, ?)").run(number, name, Date.now());
    },
  };
}

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Awaitable } from "../../awaitable.ts";
import { type Clock, SYSTEM_CLOCK } from "../../clock.ts";
import { Refusal, StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { timeLimit } from "../../time-limit.ts";
import type { Damage, Database, DatabaseObserver, DatabaseState, Sql } from "../database.ts";
import { readOnlyByChoice } from "../errors.ts";
import type { Bound } from "../fragment.ts";
import { BACKUP_DIGESTS } from "../move/table.ts";
import { checkSchema, type FoundSchema, findSchema, SCHEMA, type Schema } from "../schema/schema.ts";
import { BACKUP_MARK, lastBackupOf } from "./backup-mark.ts";
import { Checkpoints } from "./checkpoints.ts";
import { boundStatement, connect, createSql } from "./connection.ts";
import { createTables } from "./create-tables.ts";
import {
  DiskReserve,
  isReadOnlyFileSystem,
  readOnlyFileSystem,
  readOnlyUntilRestart,
} from "./disk-reserve.ts";
import { hasMoved, isFull, isUnreadable, sqliteRefusal, sqliteStartError } from "./errors.ts";
import {
  APPLICATION_ID,
  createPrivately,
  logOf,
  refuseForeignFile,
  refuseOrphanedLog,
  sizeOf,
} from "./file.ts";
import { FilesInPlace } from "./files-in-place.ts";
import { LOCK_WAIT, retryWhileLocked } from "./locks/retry-while-locked.ts";
import { SnapshotReader } from "./snapshot-reader.ts";
import { findDamage } from "./soundness.ts";
import { ReaderThreads } from "./threads/reader-threads.ts";
import { SqliteWriter } from "./writer.ts";

export interface SqliteOptions {
  /** How long to wait for another process's write lock, in milliseconds. */
  readonly lockWait?: number;
  /** Whether a missing file is an error instead of being created. */
  readonly mustExist?: boolean;
  /** The machine's by default. */
  readonly clock?: Clock;
  readonly observer?: DatabaseObserver | undefined;
  /** Logs problems with the files while they are in use. */
  readonly log?: Log | undefined;
  /** Whether this process serves requests. */
  readonly servesRequests?: boolean | undefined;
  /** Whether nothing is written, by choice. */
  readonly isReadOnly?: boolean | undefined;
  /** That of this program by default. */
  readonly schema?: Schema | undefined;
  /** Called with each error of a read or write that met damage. */
  readonly onDamage?: ((error: unknown) => void) | undefined;
}

/**
 * Opens a SQLite database, creating folder and file where needed (readable by their owner only), and
 * brings its schema up to date. One connection writes and one reads; threads, snapshots and checkpoints open their own. Other processes may do the same.
 *
 * @throws StartError when it cannot be opened, is not a database, belongs to another program or needs a newer version.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Database> {
  const { mustExist = false } = options;
  const location = resolve(path);
  if (mustExist && !existsSync(location)) throw new StartError(`No database at ${location}.`, 1);
  const reserve = new DiskReserve(location);
  try {
    return await open(location, options, reserve).catch((error) => {
      // A restore has replaced the file while it was being opened: open the new one.
      if (hasMoved(error)) return open(location, options, reserve);
      if (!options.servesRequests || !isFull(error) || sizeOf(location) === 0) throw error;
      return openOnFullDisk(location, options, reserve).catch(() => {
        throw error;
      });
    });
  } catch (error) {
    throw error instanceof StartError ? error : sqliteStartError(location, error);
  }
}

async function open(location: string, options: SqliteOptions, reserve: DiskReserve): Promise<Database> {
  const { lockWait = LOCK_WAIT, observer, log, servesRequests, isReadOnly, schema = SCHEMA } = options;
  if (isReadOnly) {
    if (!existsSync(location)) throw new StartError(`No database at ${location}.`, 1);
    return openReadOnly(location, options, reserve);
  }
  if (isReadOnlyFileSystem(location) && sizeOf(location) > 0) return openReadOnly(location, options, reserve);
  let writing: DatabaseSync | undefined;
  try {
    refuseOrphanedLog(location);
    warnOfLostDatabase(location, log);
    createPrivately(location);
    writing = await retryWhileLocked(lockWait, () => connect(location, { readOnly: false }));
    if ((await prepare(writing, location, { lockWait, schema })) === "behind") {
      writing.close();
      writing = undefined;
      const { upgradeSqlite } = await import("../upgrade/sqlite-upgrade.ts");
      await upgradeSqlite(location, schema, log);
      return open(location, options, reserve);
    }
    const connection = writing;
    const reading = await retryWhileLocked(lockWait, () => connect(location, { readOnly: true }));
    if (servesRequests) reserve.setAside();
    const checkpoints = new Checkpoints(connection, location, { observer, log, servesRequests });
    // Checkpoints the log of a killed process, or that of a new database.
    checkpoints.run();
    const files = new FilesInPlace(location, log);
    const writer = new SqliteWriter(connection, lockWait, {
      observer,
      beforeCommit: () => files.check(),
      afterCommit: () => checkpoints.runIfDue(),
      afterRepair: ({ message, cause }) => log?.error(message, cause),
    });
    return await retryWhileLocked(
      lockWait,
      () =>
        new SqliteDatabase({
          ...{ location, options, reserve, reading, writing: { connection, writer, checkpoints, files } },
        }),
    );
  } catch (error) {
    writing?.close();
    throw error;
  }
}

/** Opens a database on a full disk: with the room that is set aside, or to be read. */
async function openOnFullDisk(
  location: string,
  options: SqliteOptions,
  reserve: DiskReserve,
): Promise<Database> {
  reserve.foundFull();
  if (reserve.release())
    try {
      return await open(location, options, reserve);
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  return openReadOnly(location, options, reserve);
}

/** Opens a database that cannot be written to, so that what it has can be read. */
async function openReadOnly(
  location: string,
  options: SqliteOptions,
  reserve: DiskReserve,
): Promise<Database> {
  const reading = connect(location, { readOnly: true });
  try {
    refuseForeignFile(reading, location);
    const { schema } = options;
    const found = await findSchema("sqlite", (query) => reading.prepare(query).all(), { schema });
    if (found === "none") throw new StartError(`${location} has no tables, and is only read here.`, 1);
    if (found === "behind")
      throw new StartError(
        `${location} has the schema of an earlier version, and is only read here. Start a server of this version that can write to it first, which upgrades it.`,
        1,
      );
    return new SqliteDatabase({ location, options, reserve, reading, writing: undefined });
  } catch (error) {
    reading.close();
    throw error;
  }
}

/** The time limit for looking at every page, in milliseconds. */
const LOOK_MS = 600_000;

interface SqliteDependencies {
  readonly location: string;
  readonly options: SqliteOptions;
  readonly reserve: DiskReserve;
  readonly reading: DatabaseSync;
  /** What writes; undefined where the database can only be read. */
  readonly writing: Writing | undefined;
}

interface Writing {
  readonly connection: DatabaseSync;
  readonly writer: SqliteWriter;
  readonly checkpoints: Checkpoints;
  readonly files: FilesInPlace;
}

class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly clock: Clock;
  readonly epoch: string;
  readonly location: string;
  readonly read: Sql;
  readonly readMany: Sql;
  /** Changes when another connection commits; this one only reads (sqlite.org/pragma.html). */
  readonly #dataVersion: StatementSync;
  readonly #writing: Writing | undefined;
  readonly #reserve: DiskReserve;
  readonly #isChosen: boolean;
  readonly #schema: Schema;
  readonly #reading: DatabaseSync;
  readonly #readers: ReaderThreads;
  readonly #snapshots: SnapshotReader;
  readonly #onDamage: SqliteOptions["onDamage"];

  constructor({ location, options, reserve, writing, reading }: SqliteDependencies) {
    const { clock = SYSTEM_CLOCK, isReadOnly = false, schema = SCHEMA } = options;
    this.clock = clock;
    this.#isChosen = isReadOnly;
    this.#schema = schema;
    this.#reserve = reserve;
    this.#readers = new ReaderThreads(location);
    this.#onDamage = options.onDamage;
    this.#snapshots = new SnapshotReader(location, this.#refusal);
    this.location = location;
    this.#writing = writing;
    this.#reading = reading;
    this.read = createSql(reading, undefined, this.#refusal);
    this.readMany = this.read;
    this.#dataVersion = reading.prepare("pragma data_version");
    const row = reading.prepare("select value from meta where name = 'epoch'").get();
    this.epoch = String(row?.value);
  }

  /** As `sqliteRefusal`. */
  readonly #refusal = (error: unknown): unknown => {
    this.#noteDamage(error);
    return sqliteRefusal(error);
  };

  #noteDamage(error: unknown): void {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if (isUnreadable(cause)) {
        this.#onDamage?.(error);
        return;
      }
  }

  stamp(): number {
    try {
      return Number(this.#dataVersion.get()?.data_version);
    } catch (error) {
      throw sqliteRefusal(error);
    }
  }

  stampNow(): number {
    return this.stamp();
  }

  write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    if (this.#writing === undefined) return Promise.reject(this.obstacle());
    return this.#writing.writer.write(work).catch((error) => {
      this.#noteDamage(error);
      if (!(error instanceof Refusal) || error.reason !== "storage_full") throw error;
      this.#reserve.foundFull();
      // A file system that has become read-only gives the same code as a quota.
      throw isReadOnlyFileSystem(this.location) ? readOnlyFileSystem(error) : error;
    });
  }

  obstacle(): Refusal | undefined {
    if (this.#isChosen) return readOnlyByChoice();
    const obstacle = this.#reserve.obstacle();
    if (obstacle !== undefined || this.#writing !== undefined) return obstacle;
    return isReadOnlyFileSystem(this.location) ? readOnlyFileSystem() : readOnlyUntilRestart();
  }

  releaseReserve(): void {
    this.#reserve.release();
  }

  readApart(deadline: number): Sql {
    const sql = async <Row>(template: TemplateStringsArray, ...given: Bound[]) => {
      const { query, values } = boundStatement(template, given);
      try {
        return (await this.#readers.read({ text: query, values }, deadline)) as Row[];
      } catch (error) {
        throw this.#refusal(error);
      }
    };
    return Object.assign(sql, { engine: "sqlite" as const, slot: 0 });
  }

  snapshot<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
    return this.#snapshots.read(work);
  }

  async ready(): Promise<void> {
    this.#writing?.files.check();
    return checkSchema(this.read, this.#schema);
  }

  findDamage(): Promise<Damage> {
    const deadline = performance.now() + timeLimit(LOOK_MS);
    return findDamage(async (text) => {
      const rows = await this.#readers.read({ text, values: [] }, deadline);
      return rows as Record<string, unknown>[];
    });
  }

  state(): DatabaseState {
    return {
      files: { database: sizeOf(this.location), log: sizeOf(logOf(this.location)) },
      backedUpAt: lastBackupOf(this.location),
    };
  }

  async close(): Promise<void> {
    this.#readers.close();
    await this.#writing?.writer.finish();
    await this.#writing?.checkpoints.close();
    await this.#snapshots.close();
    this.#reading.close();
    this.#writing?.connection.close();
  }
}

/** The files that a server, or a backup, leaves next to a database. */
const TRACES = ["-reserve", "-server", BACKUP_MARK];

/** A database that is gone, or was emptied, would silently become a new site. */
function warnOfLostDatabase(location: string, log: Log | undefined): void {
  if (sizeOf(location) > 0) return;
  const trace = TRACES.map((end) => location + end).find(existsSync);
  if (trace === undefined) return;
  const state = existsSync(location) ? "is empty" : "is missing";
  log?.warn(
    `${location} ${state}, although ${trace} shows that a server had a database there. This is a new, empty site: if you expected the old one, stop the server and put its database back, or restore a backup.`,
  );
}

/** Makes the tables of a new database. @returns the schema that it found */
async function prepare(
  connection: DatabaseSync,
  location: string,
  { lockWait, schema }: { readonly lockWait: number; readonly schema: Schema },
): Promise<FoundSchema> {
  await retryWhileLocked(lockWait, () => {
    refuseForeignFile(connection, location);
    connection.exec("pragma journal_mode = wal; begin immediate");
  });
  try {
    refuseForeignFile(connection, location);
    const found = await findSchema("sqlite", (query) => connection.prepare(query).all(), { schema });
    if (found === "none") createTables(connection, schema);
    // Of a backup that was put into place as it is: from now on the contents differ.
    if (found === "current") connection.exec(`drop table if exists ${BACKUP_DIGESTS}`);
    // Writes the first page, so that a file that cannot be written to is refused.
    if (found !== "behind") connection.exec(`pragma application_id = ${APPLICATION_ID}`);
    connection.exec("commit");
    return found;
  } catch (error) {
    if (connection.isTransaction) connection.exec("rollback");
    throw error;
  }
}

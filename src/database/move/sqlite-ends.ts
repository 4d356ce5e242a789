import { existsSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../../errors.ts";
import { renameUnlessThere, syncFile, syncFolder } from "../durable-files.ts";
import { SCHEMA } from "../schema/schema.ts";
import { connect } from "../sqlite/connection.ts";
import { createTables } from "../sqlite/create-tables.ts";
import { isBusy, sqliteStartError } from "../sqlite/errors.ts";
import {
  APPLICATION_ID,
  createPrivately,
  refuseForeignFile,
  refuseOrphanedLog,
  SIDE_FILES,
} from "../sqlite/file.ts";
import { connectAlone } from "../sqlite/locks/exclusive-lock.ts";
import type { Source, Target } from "./endpoint.ts";
import { SqliteEndpoint } from "./sqlite-endpoint.ts";
import { columnList, quoted, type Table } from "./table.ts";

/** Opens a SQLite database as a source; nobody else can open it until it is closed. */
export async function openSqliteSource(path: string): Promise<Source> {
  const location = resolve(path);
  if (!existsSync(location)) throw new StartError(`No database at ${location}.`, 1);
  refuseOrphanedLog(location);
  const connection = await connectAlone(location);
  if (refuseForeignFile(connection, location)) return new SqliteSource(location, connection);
  connection.close();
  throw new StartError(`${location} is not a Commonplace database.`, 1);
}

class SqliteSource extends SqliteEndpoint implements Source {
  async highestIds(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.query<{ name: string; seq: number }>("select name, seq from sqlite_sequence");
    return new Map(rows.map(({ name, seq }) => [name, seq]));
  }

  /** Nobody has the file open, and the next process to open it reads the mark. */
  async seal(): Promise<void> {}

  async unseal(): Promise<void> {}

  async commit(): Promise<void> {
    this.attempt(() => this.connection.exec("commit"));
  }
}

/**
 * Creates a SQLite database under a temporary name; it gets its own name when it is published.
 * @throws StartError when the path exists
 */
export async function makeSqliteTarget(path: string): Promise<Target> {
  const location = resolve(path);
  if (existsSync(location))
    throw new StartError(`${location} already exists: give the path of a new file.`, 1);
  try {
    return new SqliteTarget(location);
  } catch (error) {
    throw sqliteStartError(location, error);
  }
}

class SqliteTarget extends SqliteEndpoint implements Target {
  readonly #path: string;
  readonly #temporary: string;
  readonly #remove: () => void;

  constructor(path: string) {
    const temporary = `${path}.moving`;
    const remove = () => {
      for (const suffix of ["", ...SIDE_FILES]) rmSync(temporary + suffix, { force: true });
    };
    if (isHeld(temporary)) throw new StartError(`Another move to ${path} is in progress (${temporary}).`, 1);
    // The leftovers of a killed move.
    remove();
    createPrivately(temporary);
    super(path, connect(temporary, { readOnly: false }));
    this.#path = path;
    this.#temporary = temporary;
    this.#remove = remove;
    // A signal ends the process with this event, too.
    process.once("exit", remove);
    try {
      // Nobody reads the file before it is complete, so it needs no rollback journal and only one fsync.
      this.connection.exec(`pragma journal_mode = memory; pragma synchronous = off;
        pragma locking_mode = exclusive; begin exclusive`);
      createTables(this.connection, SCHEMA);
      this.connection.exec(`pragma application_id = ${APPLICATION_ID}`);
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async insert(table: Table, rows: readonly string[]): Promise<void> {
    const values = table.columns
      .map(({ kind }, index) => (kind === "bytes" ? `unhex(value ->> ${index})` : `value ->> ${index}`))
      .join(", ");
    const insert = `insert into ${quoted(table)} (${columnList(table)}) select ${values} from json_each(?1)`;
    await this.query(insert, [`[${rows.join(",")}]`]);
  }

  async continueIds({ name }: Table, highest: number): Promise<void> {
    await this.query("delete from sqlite_sequence where name = ?1", [name]);
    await this.query("insert into sqlite_sequence (name, seq) values (?1, ?2)", [name, highest]);
  }

  async finish(): Promise<void> {
    this.attempt(() => {
      this.connection.exec("commit; pragma locking_mode = normal; pragma journal_mode = wal");
      this.connection.close();
      syncFile(this.#temporary);
    });
  }

  async publish(): Promise<void> {
    this.attempt(() => renameUnlessThere(this.#temporary, this.#path));
    syncFolder(dirname(this.#path));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
  }

  #end(): void {
    if (this.connection.isOpen) this.connection.close();
    this.#remove();
    process.removeListener("exit", this.#remove);
  }
}

/** Whether a move is writing the file. One that was cut short may not be a database; then nobody has it open. */
function isHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  let connection: DatabaseSync | undefined;
  try {
    connection = connect(path, { readOnly: false });
    connection.exec("begin exclusive");
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    connection?.close();
  }
}

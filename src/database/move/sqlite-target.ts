import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../../errors.ts";
import { renameUnlessThere, syncFile, syncFolder } from "../durable-files.ts";
import { connect } from "../sqlite/connection.ts";
import { isBusy, sqliteStartError } from "../sqlite/errors.ts";
import { APPLICATION_ID, SIDE_FILES } from "../sqlite/file.ts";
import { createTables } from "../sqlite/schema.ts";
import { createPrivately } from "../sqlite/sqlite.ts";
import type { Target } from "./endpoint.ts";
import { SqliteEndpoint } from "./sqlite-endpoint.ts";
import { columnList, quoted, type Table } from "./table.ts";

/**
 * Creates a SQLite database under a temporary name; it gets its own name when it is published.
 * @throws StartError when the path exists
 */
export async function makeSqliteTarget(path: string): Promise<Target> {
  const location = resolve(path);
  if (existsSync(location))
    throw new StartError(`${location} already exists: give the path of a new file.`, 1);
  const temporary = `${location}.moving-${process.pid}`;
  try {
    removeLeftovers(location);
    createPrivately(temporary);
    const connection = connect(temporary, { readOnly: false });
    const target = new SqliteTarget(location, temporary, connection);
    try {
      await target.prepare();
    } catch (error) {
      await target[Symbol.asyncDispose]();
      throw error;
    }
    return target;
  } catch (error) {
    throw error instanceof StartError ? error : sqliteStartError(location, error);
  }
}

class SqliteTarget extends SqliteEndpoint implements Target {
  readonly #path: string;
  readonly #temporary: string;
  readonly #remove = () => {
    for (const suffix of ["", ...SIDE_FILES]) rmSync(this.#temporary + suffix, { force: true });
  };

  constructor(path: string, temporary: string, connection: DatabaseSync) {
    super(path, connection);
    this.#path = path;
    this.#temporary = temporary;
    // A signal ends the process with this event, too.
    process.once("exit", this.#remove);
  }

  /** Nobody reads the file before it is complete, so it needs no rollback journal and only one fsync. */
  async prepare(): Promise<void> {
    this.connection.exec(
      "pragma journal_mode = memory; pragma synchronous = off; pragma locking_mode = exclusive",
    );
    this.connection.exec("begin exclusive");
    createTables(this.connection);
    this.connection.exec(`pragma application_id = ${APPLICATION_ID}`);
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

  async commit(): Promise<void> {
    this.attempt(() => {
      this.connection.exec("commit; pragma locking_mode = normal; pragma journal_mode = wal");
      this.connection.close();
      syncFile(this.#temporary);
    });
  }

  async discard(): Promise<void> {
    this.#remove();
  }

  async publish(): Promise<void> {
    this.attempt(() => renameUnlessThere(this.#temporary, this.#path));
    syncFolder(dirname(this.#path));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    this.#remove();
    process.removeListener("exit", this.#remove);
  }
}

/** Removes files left by killed moves to the same target, but not those of a running move. */
function removeLeftovers(location: string): void {
  const folder = dirname(location);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(location)}.moving-`)) continue;
    if (isHeld(join(folder, name)))
      throw new StartError(`Another move to ${location} is in progress (${name}).`, 1);
    rmSync(join(folder, name), { force: true });
  }
}

/** A truncated file may not be a database; then nobody has it open. */
function isHeld(path: string): boolean {
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

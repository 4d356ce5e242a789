import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../../errors.ts";
import { MOVED_TO } from "../moved.ts";
import { connect } from "../sqlite/connection.ts";
import { sqliteStartError } from "../sqlite/errors.ts";
import { APPLICATION_ID } from "../sqlite/file.ts";
import { retryWhileLocked } from "../sqlite/locks/retry-while-locked.ts";
import type { HighestIds, Source } from "./endpoint.ts";
import { SqliteEndpoint } from "./sqlite-endpoint.ts";
import type { Table } from "./table.ts";

/** Lock timeout in milliseconds. */
const LOCK_WAIT = 30_000;

/** Opens a SQLite database as a source; nobody else can write to it until it is closed. */
export async function openSqliteSource(path: string): Promise<Source> {
  const location = resolve(path);
  if (!existsSync(location)) throw new StartError(`No database at ${location}.`, 1);
  let connection: DatabaseSync | undefined;
  try {
    connection = connect(location, { readOnly: false });
    const opened = connection;
    const mark = await retryWhileLocked(LOCK_WAIT, () => opened.prepare("pragma application_id").get());
    if (mark?.application_id !== APPLICATION_ID)
      throw new StartError(`${location} is not a Commonplace database.`, 1);
    await retryWhileLocked(LOCK_WAIT, () => opened.exec("begin immediate"));
    return new SqliteSource(location, opened);
  } catch (error) {
    connection?.close();
    throw error instanceof StartError ? error : sqliteStartError(location, error);
  }
}

class SqliteSource extends SqliteEndpoint implements Source {
  async highestIds(): Promise<HighestIds> {
    const rows = await this.query<{ name: string; seq: number }>("select name, seq from sqlite_sequence");
    return new Map(rows.map(({ name, seq }) => [name, seq]));
  }

  async seal(tables: readonly Table[], to: string): Promise<void> {
    await this.query("insert into meta (name, value) values (?1, ?2)", [MOVED_TO, to]);
    for (const { table, event } of sealed(tables))
      await this.query(`create trigger moved_${event}_${table} before ${event} on "${table}"
        begin select raise(abort, 'The database was moved.'); end`);
  }

  async unseal(tables: readonly Table[]): Promise<void> {
    for (const { table, event } of sealed(tables)) await this.query(`drop trigger moved_${event}_${table}`);
    await this.query("delete from meta where name = ?1", [MOVED_TO]);
  }

  async commit(): Promise<void> {
    this.attempt(() => this.connection.exec("commit"));
  }
}

function sealed(tables: readonly Table[]) {
  return tables.flatMap(({ name }) =>
    ["insert", "update", "delete"].map((event) => ({ table: name, event })),
  );
}

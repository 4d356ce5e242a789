import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Refusal, StartError } from "../../errors.ts";
import type { Inspection } from "../inspection.ts";
import { connect, createSql } from "./connection.ts";
import { isUnreadable, sqliteStartError } from "./errors.ts";
import { refuseForeignFile } from "./file.ts";
import { LOCK_WAIT, retryWhileLocked } from "./locks/retry-while-locked.ts";

/** Opens a snapshot of a SQLite database: one read transaction. @throws StartError as `inspectDatabase` */
export async function inspectSqlite(path: string): Promise<Inspection> {
  const location = resolve(path);
  if (!existsSync(location)) throw new StartError(`No database at ${location}.`, 1);
  let connection: DatabaseSync | undefined;
  try {
    const reading = await retryWhileLocked(LOCK_WAIT, () => connect(location, { readOnly: true }));
    connection = reading;
    await retryWhileLocked(LOCK_WAIT, () => begin(reading, location));
    return {
      engine: "sqlite",
      location,
      sql: createSql(reading),
      raw: (statement) => reading.prepare(statement).all(),
      apart: (work) => work(),
      isDamage: (error) => isUnreadable(error instanceof Refusal ? error.cause : error),
      close: async () => reading.close(),
    };
  } catch (error) {
    connection?.close();
    throw error instanceof StartError ? error : sqliteStartError(location, error);
  }
}

function begin(connection: DatabaseSync, location: string): void {
  connection.exec("begin");
  try {
    if (!refuseForeignFile(connection, location))
      throw new StartError(`${location} is not a Commonplace database.`, 1);
  } catch (error) {
    connection.exec("rollback");
    throw error;
  }
}

import { DatabaseSync } from "node:sqlite";
import { isBusy } from "../errors.ts";
import { createPrivately } from "../file.ts";

/** Held until the process ends, also when it is killed. */
const held: DatabaseSync[] = [];

/**
 * Marks this process as a server of a database until it ends, by a lock on an empty file next to it. Unlike the system's
 * list of locks, the lock also shows servers in other containers on this machine.
 *
 * @returns whether another server has the database open
 */
export function lockAsServer(location: string): boolean {
  const file = `${location}-server`;
  try {
    createPrivately(file);
    const connection = new DatabaseSync(file, { timeout: 0 });
    held.push(connection);
    const isShared = !isAlone(connection);
    // The shared lock of a read, which any number of servers can hold.
    connection.exec("begin");
    connection.prepare("select count(*) from sqlite_schema").get();
    return isShared;
  } catch {
    // A folder that cannot be written to, or another server that asks just now.
    return false;
  }
}

function isAlone(connection: DatabaseSync): boolean {
  try {
    connection.exec("begin exclusive; rollback");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

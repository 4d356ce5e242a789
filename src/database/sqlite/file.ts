import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../../errors.ts";
import { syncFolder } from "../durable-files.ts";

/** Marks the file as ours (`pragma application_id`): "cmpl" in ASCII. */
export const APPLICATION_ID = 0x636d706c;

/** What SQLite keeps beside a database file: its name with one of these at the end (sqlite.org/tempfiles.html). */
export const SIDE_FILES = ["-wal", "-shm", "-journal"] as const;

/**
 * A file that is a database, but of another program, is left alone. Mark and tables are read by one statement,
 * thus at one moment: another process may be making the database just now.
 *
 * @returns whether the file is marked as ours; when not, it holds nothing at all
 */
export function refuseForeignFile(connection: DatabaseSync, location: string): boolean {
  const query =
    "select application_id as id, (select count(*) from sqlite_schema) as tables from pragma_application_id";
  const { id, tables } = connection.prepare(query).get() ?? {};
  if (id !== APPLICATION_ID && tables !== 0)
    throw new StartError(`${location} is a SQLite database of another program.`, 1);
  return id === APPLICATION_ID;
}

/** Whether other users of this machine may read or write a database: a copy that was put in its place, perhaps. */
export function isOpenToOthers(location: string): boolean {
  return (statSync(location).mode & 0o077) !== 0;
}

/** Makes a folder that only its owner may look into, and those that it stands in, unless they are there. */
export function createFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first !== undefined) syncFolders(dirname(folder), dirname(first));
}

/** New folders survive a power cut once those that they stand in are on the disk; SQLite syncs the innermost. */
function syncFolders(from: string, upTo: string): void {
  syncFolder(from);
  if (from !== upTo) syncFolders(dirname(from), upTo);
}

import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../../errors.ts";
import { syncFolder } from "../durable-files.ts";

/** Marks the file as ours (`pragma application_id`): "cmpl" in ASCII. */
export const APPLICATION_ID = 0x636d706c;

/** Suffixes of the files that SQLite keeps next to a database (sqlite.org/tempfiles.html). */
export const SIDE_FILES = ["-wal", "-shm", "-journal"] as const;

/**
 * Refuses a database of another program. The mark and the tables are read by one statement, in one snapshot:
 * another process may be creating the database just now.
 *
 * @returns whether the file is marked as ours; if not, it is empty
 */
export function refuseForeignFile(connection: DatabaseSync, location: string): boolean {
  const query =
    "select application_id as id, (select count(*) from sqlite_schema) as tables from pragma_application_id";
  const { id, tables } = connection.prepare(query).get() ?? {};
  if (id !== APPLICATION_ID && tables !== 0)
    throw new StartError(`${location} is a SQLite database that belongs to another program.`, 1);
  return id === APPLICATION_ID;
}

/**
 * Refuses a write-ahead log whose database is missing or empty: it was moved or copied away alone, and the log holds
 * writes that are nowhere else. SQLite would discard it. The size of the log is read first: a new database has its
 * first page before it has a log.
 *
 * @throws StartError
 */
export function refuseOrphanedLog(location: string): void {
  const log = logOf(location);
  if (sizeOf(log) === 0 || sizeOf(location) > 0) return;
  const file = log.slice(0, -"-wal".length);
  throw new StartError(
    `${log} belongs to a database that is missing: put ${file} back next to it, or move the log away.`,
    2,
  );
}

/** The path of a database's write-ahead log, which is next to the file itself, not next to a link to it. */
export function logOf(location: string): string {
  return `${existsSync(location) ? realpathSync(location) : location}-wal`;
}

/** Bytes of a file, 0 when there is none. Never opens the file: see createPrivately. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether other users of the machine may read or write the file. A file copied into place may have such a mode. */
export function isOpenToOthers(location: string): boolean {
  return (statSync(location).mode & 0o077) !== 0;
}

/** Creates folder and file with access for their owner only; SQLite gives its side files the same mode. */
export function createPrivately(location: string): void {
  createFolder(dirname(location));
  // Never opened while SQLite has it open: closing a file drops every lock that this process has on it (POSIX).
  if (!existsSync(location)) closeSync(openSync(location, "a", 0o600));
  // SQLite would take a device for an empty file, and leave its journal in /dev. A folder is refused with its own words.
  const found = statSync(location);
  if (!found.isFile() && !found.isDirectory())
    throw new StartError(`${location} cannot be opened: it is not a regular file.`, 1);
}

/** Creates a folder, and its parents, with access for their owner only, unless they exist. */
export function createFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first !== undefined) syncFolders(dirname(folder), dirname(first));
}

/** Makes new folders durable by syncing their parents; SQLite syncs the innermost folder itself. */
function syncFolders(from: string, upTo: string): void {
  syncFolder(from);
  if (from !== upTo) syncFolders(dirname(from), upTo);
}

import { chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageOf, StartError } from "../../errors.ts";
import { renameUnlessThere, syncFile, syncFolder } from "../durable-files.ts";
import { MOVED_TO } from "../moved.ts";
import { findSchema } from "../schema/schema.ts";
import { compareWithDigests, removeDigests } from "./backup-digests.ts";
import { refuseForeignFile, SIDE_FILES } from "./file.ts";
import { withExclusiveLock } from "./locks/exclusive-lock.ts";
import { countTables, firstDamageIn, type TableCounts } from "./soundness.ts";

/** A backup that can be restored. */
export interface SoundBackup {
  readonly counts: TableCounts;
  /** Whether it has the schema of an earlier version, which a server brings up to date. */
  readonly isBehind: boolean;
  /** Whether it was compared with the digests that were made with it: if it has none, not every damage is noticed. */
  readonly hasDigests: boolean;
}

/**
 * Checks that a file is an intact database that this program supports, byte for byte as it was written. One of an earlier
 * schema is upgraded when it is next opened.
 *
 * @param name the file's name in error messages
 * @throws StartError
 */
export async function checkBackup(path: string, name: string): Promise<SoundBackup> {
  const compared = await compareWithDigests(path);
  if (typeof compared === "object") throw new StartError(`${name} is damaged: ${compared.damage}.`, 1);
  const { counts, isBehind } = await countsOf(path, name);
  const damage = await firstDamageIn(path);
  if (damage !== undefined) throw new StartError(`${name} is damaged: ${damage}.`, 1);
  return { counts, isBehind, hasDigests: compared === "same" };
}

/** Whether a database file has the schema of an earlier version of this program. */
export async function isOfEarlierSchema(path: string): Promise<boolean> {
  using connection = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  const finding = findSchema("sqlite", (query) => connection.prepare(query).all(), { isMovedFine: true });
  return (await finding.catch(() => undefined)) === "behind";
}

/**
 * Replaces the database by a checked backup with a new epoch, which invalidates older entity tags and cursors. Ids
 * assigned by the present database are not assigned again. At every instant one of the two databases is in place,
 * whole.
 *
 * The command refuses an existing database without `--force` before it comes here.
 *
 * @param staged the backup, in the same folder; it is changed, then renamed
 * @param keepAs the new name of the present database
 * @param change what else becomes of the backup, in a transaction; it gets the present database, if that can be read
 * @returns whether there was a present database, now at `keepAs`
 * @throws StartError when another process has the present database open; nothing has changed then
 */
export async function replaceDatabase(
  location: string,
  staged: string,
  keepAs: string,
  change: (staged: DatabaseSync, present: DatabaseSync | undefined) => void = () => {},
): Promise<boolean> {
  if (!existsSync(location)) {
    takeOver(staged, dirname(location));
    renew(staged, new Map(), (connection) => change(connection, undefined));
    moveAside(location, keepAs);
    appear(staged, location);
    return false;
  }
  await withExclusiveLock(location, (present) => {
    takeOver(staged, location);
    const given = present === undefined ? new Map() : idsGivenIn(present);
    renew(staged, given, (connection) => change(connection, present));
    keepDatabase(location, keepAs);
    moveAside(location, keepAs);
    renameSync(staged, location);
    syncFolder(dirname(location));
  });
  return true;
}

/** Gives a file the owner of another file, where this user may. */
export function takeOver(path: string, model: string): void {
  const { uid, gid } = statSync(model);
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}

function idsGivenIn(present: DatabaseSync): Map<string, number> {
  try {
    return highestIds(present);
  } catch {
    // The database being replaced may be damaged or empty.
    return new Map();
  }
}

/** The highest ids assigned so far, by table. */
export function highestIds(connection: DatabaseSync): Map<string, number> {
  const rows = connection.prepare("select name, seq from sqlite_sequence").all();
  return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]));
}

function renew(
  path: string,
  given: ReadonlyMap<string, number>,
  change: (connection: DatabaseSync) => void,
): void {
  removeDigests(path);
  {
    using connection = new DatabaseSync(path, { timeout: 0 });
    connection.exec("pragma journal_mode = delete; pragma synchronous = full; begin immediate");
    connection.exec("update meta set value = lower(hex(randomblob(4))) where name = 'epoch'");
    continueIds(connection, given);
    change(connection);
    connection.exec("commit");
  }
  syncFile(path);
}

/** Ids assigned so far are not assigned again. @param given the highest ones, by table */
export function continueIds(connection: DatabaseSync, given: ReadonlyMap<string, number>): void {
  for (const [table, seq] of given) raise(connection, table, seq);
}

function raise(connection: DatabaseSync, table: string, seq: number): void {
  const known = connection.prepare("select seq from sqlite_sequence where name = ?").get(table);
  if (known === undefined)
    connection.prepare("insert into sqlite_sequence (name, seq) values (?, ?)").run(table, seq);
  else if (Number(known.seq) < seq)
    connection.prepare("update sqlite_sequence set seq = ? where name = ?").run(seq, table);
}

/** Links the present database under a second name, so that the first name is never without a database. */
export function keepDatabase(location: string, keepAs: string): void {
  try {
    linkSync(location, keepAs);
  } catch (error) {
    throw new StartError(
      `${location} cannot be kept as ${keepAs}: ${messageOf(error)}. Move it out of the way manually.`,
      1,
      error,
    );
  }
}

/**
 * Renames side files left by an unclean shutdown: SQLite would take an old log for the new database's own. Only a
 * database that is unreadable or missing has any left at this point.
 */
function moveAside(location: string, keepAs: string): void {
  for (const end of SIDE_FILES) {
    if (!existsSync(location + end)) continue;
    if (end === "-shm") rmSync(location + end);
    else renameSync(location + end, keepAs + end);
  }
  syncFolder(dirname(location));
}

/** @throws StartError when a server has just created a database there */
function appear(staged: string, location: string): void {
  try {
    renameUnlessThere(staged, location);
  } catch (error) {
    if (!existsSync(location)) throw error;
    throw new StartError(`${location} was created by another process in the meantime.`, 1, error);
  }
  syncFolder(dirname(location));
}

/** The row counts of a database that this program can use, at least after an upgrade. @throws StartError */
async function countsOf(path: string, name: string): Promise<Pick<SoundBackup, "counts" | "isBehind">> {
  try {
    using connection = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    if (!refuseForeignFile(connection, name))
      throw new StartError(`${name} is not a Commonplace database.`, 1);
    const found = await findSchema("sqlite", (query) => connection.prepare(query).all(), {
      ...{ name, isMovedFine: true },
    });
    const to = connection.prepare("select value from meta where name = ?").get(MOVED_TO)?.value;
    if (to !== undefined)
      throw new StartError(
        `${name} is a backup of a database that was moved to ${to}: restore a backup of the new one.`,
        1,
      );
    return { counts: countTables(connection), isBehind: found === "behind" };
  } catch (error) {
    if (error instanceof StartError) throw new StartError(error.message, 1, error);
    throw new StartError(`${name} is damaged: ${messageOf(error)}.`, 1, error);
  }
}

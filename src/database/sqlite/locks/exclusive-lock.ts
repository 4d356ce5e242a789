import { readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../../../awaitable.ts";
import { StartError } from "../../../errors.ts";
import { isBusy, isUnreadable, sqliteStartError } from "../errors.ts";
import { refuseForeignFile, refuseOrphanedLog, SIDE_FILES } from "../file.ts";
import { retryWhileLocked } from "./retry-while-locked.ts";

/** How long to wait for other processes, in milliseconds. A running server never releases its lock. */
const TIMEOUT_MS = 1_000;

/**
 * Runs `work` while no other process has the database open or can open it. The write-ahead log has then been
 * checkpointed and removed. A process that tries to open the database during this time waits, and notices if the file
 * was replaced: SQLite does not start a log for a renamed file.
 *
 * @param work gets the connection, or undefined when the file is too damaged to be a database
 * @throws StartError when another process has it open, or when it belongs to another program
 */
export async function withExclusiveLock<T>(
  location: string,
  work: (connection: DatabaseSync | undefined) => Awaitable<T>,
): Promise<T> {
  refuseOrphanedLog(location);
  for (;;) {
    const { ino } = statSync(location);
    const connection = (await isDamaged(location)) ? undefined : await connectAlone(location);
    try {
      // A concurrent restore may have renamed the locked file by now.
      if (statSync(location).ino !== ino) continue;
      // SQLite cannot say who else uses a file that it cannot read.
      if (connection === undefined && otherUsersOf(location).length > 0) throw inUse(location);
      return await work(connection);
    } finally {
      connection?.close();
    }
  }
}

/** Uses a read-only connection: a read-write one would delete a damaged file's log when it closes. */
async function isDamaged(location: string): Promise<boolean> {
  let connection: DatabaseSync | undefined;
  try {
    const reading = new DatabaseSync(location, { readOnly: true, timeout: 0 });
    connection = reading;
    await retryWhileLocked(TIMEOUT_MS, () => refuseForeignFile(reading, location));
    return false;
  } catch (error) {
    if (isUnreadable(error)) return true;
    throw refusal(location, error);
  } finally {
    connection?.close();
  }
}

/**
 * A connection to a sound database that nobody else has open, or can open until it is closed.
 * @throws StartError when another process has it open, or when it belongs to another program
 */
export async function connectAlone(location: string): Promise<DatabaseSync> {
  const connection = new DatabaseSync(location, { timeout: 0 });
  try {
    await retryWhileLocked(TIMEOUT_MS, () => lockOut(connection, location));
    return connection;
  } catch (error) {
    connection.close();
    throw refusal(location, error);
  }
}

function refusal(location: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  return isBusy(error) ? inUse(location, error) : sqliteStartError(location, error);
}

/** Locks everyone out. SQLite's exclusive lock excludes readers only without a write-ahead log. */
function lockOut(connection: DatabaseSync, location: string): void {
  refuseForeignFile(connection, location);
  // Leaving WAL mode succeeds only when nobody else has the database open, busy or idle.
  // EXTRA: after a power cut, no journal comes back that would undo what was committed.
  connection.exec("pragma synchronous = extra; pragma journal_mode = delete; begin exclusive");
  const mode = connection.prepare("pragma journal_mode").get()?.journal_mode;
  if (mode === "delete") return;
  connection.exec("rollback");
  throw inUse(location);
}

/** The ids of the other processes that have a database open, as far as the system reports them. */
export function otherUsersOf(location: string): number[] {
  return lockHolders([location, ...SIDE_FILES.map((end) => location + end)]);
}

function inUse(location: string, cause?: unknown): StartError {
  const pids = otherUsersOf(location);
  const who =
    pids.length === 0
      ? "another process"
      : `${pids.length === 1 ? "process" : "processes"} ${pids.join(", ")}`;
  return new StartError(`${location} is in use by ${who}: stop the server first.`, 1, cause);
}

/**
 * The processes that hold a lock on any of the files, where the system lists them (Linux: proc_locks(5)). The files
 * are not opened: closing them would drop this process's own locks.
 */
function lockHolders(paths: readonly string[]): number[] {
  const inodes = new Set(
    paths.flatMap((path) => statSync(path, { throwIfNoEntry: false })?.ino.toString() ?? []),
  );
  const fields = readLocks().map((line) => line.trim().split(/\s+/));
  const pids = fields
    .filter(([, , , , , file]) => inodes.has(file?.split(":").at(-1) ?? ""))
    .map(([, , , , pid]) => Number(pid));
  return [...new Set(pids)].filter((pid) => pid !== process.pid);
}

function readLocks(): string[] {
  try {
    return readFileSync("/proc/locks", "utf8").split("\n");
  } catch {
    return [];
  }
}

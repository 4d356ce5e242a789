import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../../errors.ts";
import { isBusy, isUnreadable, sqliteStartError } from "./errors.ts";
import { refuseForeignFile, SIDE_FILES } from "./file.ts";
import { lockHolders } from "./lock-holders.ts";
import { retryWhileLocked } from "./locks.ts";

/** How long others may take to finish what they do, in milliseconds. A server does not finish. */
const TIMEOUT_MS = 1_000;

/**
 * Runs `work` while no other process has the database open or can open it. The write-ahead log is then in the
 * file and gone. Who tries to open it meanwhile waits, and finds out by itself when another file stands
 * under its name afterwards: SQLite does not begin a log beside a file that has moved.
 *
 * @param work is given the connection, or undefined when the file is too damaged to be a database. Awaits
 *   nothing.
 * @throws StartError when another process has it open, or when it is another program's
 */
export async function withExclusiveLock<T>(
  location: string,
  work: (connection: DatabaseSync | undefined) => T,
): Promise<T> {
  for (;;) {
    const { ino } = statSync(location);
    const connection = (await isDamaged(location)) ? undefined : await connectAlone(location);
    try {
      // Another restore may have been faster: what is locked then has another name by now.
      if (statSync(location).ino !== ino) continue;
      // SQLite cannot say who else uses a file that it cannot read.
      if (connection === undefined && lockHolders(filesOf(location)).length > 0) throw inUse(location);
      return work(connection);
    } finally {
      connection?.close();
    }
  }
}

/** Found out by a connection that only reads: another one would clear a damaged file's log away when it closes. */
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

async function connectAlone(location: string): Promise<DatabaseSync> {
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

/** Takes the lock that excludes everyone: what SQLite calls exclusive is that only where there is no log. */
function lockOut(connection: DatabaseSync, location: string): void {
  refuseForeignFile(connection, location);
  // Leaving the log behind takes nobody else having the database open, server or not, busy or idle.
  connection.exec("pragma journal_mode = delete; begin exclusive");
  const mode = connection.prepare("pragma journal_mode").get()?.journal_mode;
  if (mode === "delete") return;
  connection.exec("rollback");
  throw inUse(location);
}

function inUse(location: string, cause?: unknown): StartError {
  const pids = lockHolders(filesOf(location));
  const who = pids.length === 0 ? "another process" : `process ${pids.join(", ")}`;
  return new StartError(`${location} is in use by ${who}: stop the server first.`, 1, cause);
}

function filesOf(location: string): string[] {
  return [location, ...SIDE_FILES.map((end) => location + end)];
}

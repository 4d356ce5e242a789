import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { StartError } from "../../errors.ts";
import { connect } from "./connection.ts";
import { isFull, sqliteStartError } from "./errors.ts";
import { refuseForeignFile } from "./file.ts";
import { retryWhileLocked } from "./locks.ts";
import { countTables, findDamageIn, type TableCounts } from "./soundness.ts";

/** How many pages are copied before the event loop has a turn: four megabytes. */
const STEP = 1_000;

/** How long to wait for a lock, in milliseconds. Only what opens or recovers the database holds one in a reader's way. */
const LOCK_WAIT = 5_000;

/**
 * Copies a database as it is at one moment, which nobody who reads or writes has to wait for: everything that
 * was confirmed before is in it. The copy is one file in itself, without a write-ahead log, and is checked:
 * integrity, foreign keys, and as many rows in each table as there were at that moment.
 *
 * While it is made, SQLite's write-ahead log cannot start anew and grows by what is written.
 *
 * @param from a database of this program, of any version; it is not changed
 * @param to an empty file, which is not on the disk yet when this resolves
 * @throws StartError with the reason in one line; what is in `to` is then worth nothing
 */
export async function copySqlite(from: string, to: string): Promise<TableCounts> {
  if (!existsSync(from)) throw new StartError(`There is no database ${from}.`, 1);
  const counts = await copyMoment(from, to);
  const [damage] = await findDamageIn(to, counts);
  if (damage === undefined) return counts;
  throw new StartError(
    `The copy of ${from} is not sound (${damage}), so no backup was written. "commonplace check" tells more.`,
    1,
  );
}

async function copyMoment(from: string, to: string): Promise<TableCounts> {
  const source = await openSource(from);
  try {
    // Within a read transaction every step copies the same moment. Without one, the copying would begin anew
    // with each commit of another process, and never end under load.
    const counts = await retryWhileLocked(LOCK_WAIT, () => beginReading(source, from));
    await backup(source, to, { rate: STEP });
    withoutLog(to);
    return counts;
  } catch (error) {
    if (error instanceof StartError) throw error;
    // Only the copy is written, so it is its disk that is full.
    const reason = isFull(error)
      ? `the disk of ${dirname(to)} is full.`
      : sqliteStartError(from, error).message;
    throw new StartError(`The backup could not be written: ${reason}`, 1, error);
  } finally {
    source.close();
  }
}

async function openSource(from: string): Promise<DatabaseSync> {
  try {
    return await retryWhileLocked(LOCK_WAIT, () => connect(from, { readOnly: true }));
  } catch (error) {
    throw sqliteStartError(from, error);
  }
}

function beginReading(source: DatabaseSync, from: string): TableCounts {
  source.exec("begin");
  try {
    if (!refuseForeignFile(source, from)) throw new StartError(`${from} is not a Commonplace database.`, 1);
    return countTables(source);
  } catch (error) {
    source.exec("rollback");
    throw error;
  }
}

/** A copy says of itself that it has a write-ahead log, as the database does; it has none, and needs none. */
function withoutLog(path: string): void {
  const copy = new DatabaseSync(path, { timeout: 0 });
  try {
    copy.exec("pragma journal_mode = delete");
  } finally {
    copy.close();
  }
}

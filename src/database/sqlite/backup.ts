import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { messageOf, StartError } from "../../errors.ts";
import { ABANDONED } from "../abandoned-pages.ts";
import { abandonTables } from "./abandoned-tables.ts";
import {
  addDigests,
  type DatabaseContents,
  damageIn,
  databaseContents,
  removeDigests,
} from "./backup-digests.ts";
import { connect } from "./connection.ts";
import { isFull, sqliteStartError } from "./errors.ts";
import { refuseForeignFile } from "./file.ts";
import { LOCK_WAIT, retryWhileLocked } from "./locks/retry-while-locked.ts";

/** Pages copied per turn of the event loop: four megabytes. */
const STEP = 1_000;

const DETAILS = '"commonplace check" has the details.';

/**
 * Copies a snapshot of a database without blocking readers or writers. The snapshot has every write confirmed
 * before. The copy is a single file without a write-ahead log, with digests of the original's tables, and is checked:
 * integrity, foreign keys, and every table against its digest.
 *
 * During the copy SQLite cannot reset the write-ahead log, which grows with every write.
 *
 * @param from a database of this program, of any version; it is not changed
 * @param to an empty file; not synced yet when this resolves
 * A damaged search index is left out: it is rebuilt from the records.
 *
 * @throws StartError with the reason in one line; the contents of `to` are then invalid
 */
export async function copySqlite(from: string, to: string): Promise<Copied> {
  if (!existsSync(from)) throw new StartError(`No database at ${from}.`, 1);
  const contents = await copyMoment(from, to);
  const damage = await damageIn(to);
  if (damage === undefined) return { contents, isWithoutIndex: false };
  if (damage.isOfIndex) {
    removeDigests(to);
    leaveOutIndex(to);
    await addDigests(to, contents);
    if ((await damageIn(to)) === undefined) return { contents, isWithoutIndex: true };
  }
  throw new StartError(
    `The copy of ${from} is damaged (${damage.detail}), so no backup was written. ${DETAILS}`,
    1,
  );
}

interface Copied {
  readonly contents: DatabaseContents;
  /** Whether the search index was damaged, and is left out. */
  readonly isWithoutIndex: boolean;
}

/** Writes the file again without the search index and without pages that belong to nothing. */
function leaveOutIndex(path: string): void {
  using copy = new DatabaseSync(path, { timeout: 0 });
  copy.exec("begin");
  abandonTables(copy, "search_");
  copy.exec(`delete from meta where name = '${ABANDONED}'; commit; vacuum`);
}

async function copyMoment(from: string, to: string): Promise<DatabaseContents> {
  const source = await openSource(from);
  try {
    // A read transaction makes every step copy the same snapshot. Without it, each commit of another process
    // restarts the copy, which never ends under load.
    await retryWhileLocked(LOCK_WAIT, () => startSnapshot(source, from));
    await backup(source, to, { rate: STEP });
    const contents = await databaseContents(from, source).catch((error) => {
      throw new StartError(`The backup could not be written: ${messageOf(error)} ${DETAILS}`, 1, error);
    });
    source.exec("rollback");
    withoutLog(to);
    await addDigests(to, contents);
    return contents;
  } catch (error) {
    if (error instanceof StartError) throw error;
    // Only the copy is written, so its disk is full.
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

function startSnapshot(source: DatabaseSync, from: string): void {
  source.exec("begin");
  try {
    if (!refuseForeignFile(source, from)) throw new StartError(`${from} is not a Commonplace database.`, 1);
  } catch (error) {
    source.exec("rollback");
    throw error;
  }
}

/** Takes the copy out of WAL mode, which its header inherited from the original: a copy has no log and needs none. */
function withoutLog(path: string): void {
  const copy = new DatabaseSync(path, { timeout: 0 });
  try {
    copy.exec("pragma journal_mode = delete");
  } finally {
    copy.close();
  }
}

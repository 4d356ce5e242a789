import { existsSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../../errors.ts";
import { ABANDONED } from "../abandoned-pages.ts";
import { connect } from "./connection.ts";
import { BUSY, isFull, sqliteStartError } from "./errors.ts";
import { refuseForeignFile } from "./file.ts";
import { retryWhileLocked } from "./locks/retry-while-locked.ts";

/** How long to wait for another process that holds a lock, in milliseconds. */
const COMPACT_LOCK_WAIT = 30_000;

/**
 * Rewrites a database without the space of deleted records, and returns that space to the file system. Others can
 * read at the same time; writes wait.
 *
 * @returns the size of the file then, in bytes
 * @throws StartError with the reason in one line; the database is then as it was
 */
export async function compactSqlite(location: string): Promise<number> {
  if (!existsSync(location)) throw new StartError(`No database at ${location}.`, 1);
  let connection: DatabaseSync | undefined;
  try {
    const writing = await retryWhileLocked(COMPACT_LOCK_WAIT, () => connect(location, { readOnly: false }));
    connection = writing;
    if (!(await retryWhileLocked(COMPACT_LOCK_WAIT, () => refuseForeignFile(writing, location))))
      throw new StartError(`${location} is not a Commonplace database.`, 1);
    await retryWhileLocked(COMPACT_LOCK_WAIT, () => writing.exec("vacuum"));
    await retryWhileLocked(COMPACT_LOCK_WAIT, () =>
      writing.exec(`delete from meta where name = '${ABANDONED}'`),
    );
    await truncate(writing);
    return statSync(location).size;
  } catch (error) {
    if (isFull(error))
      throw new StartError(
        `${location} cannot be compacted: there is not enough space for a copy in its folder and in TMPDIR.`,
        1,
        error,
      );
    throw sqliteStartError(location, error);
  } finally {
    connection?.close();
  }
}

/** The new pages go from the write-ahead log into the file when nobody reads the old ones. */
async function truncate(connection: DatabaseSync): Promise<void> {
  await retryWhileLocked(COMPACT_LOCK_WAIT, () => {
    const { busy } = connection.prepare("pragma wal_checkpoint(truncate)").get() ?? {};
    // The pragma returns it instead of failing.
    if (busy === 1) throw Object.assign(new Error("database is locked"), { errcode: BUSY });
  });
}

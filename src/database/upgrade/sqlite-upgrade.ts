import { linkSync, realpathSync, renameSync, rmSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { messageOf, StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { syncFolder } from "../durable-files.ts";
import { factsOfUpgraded, SCHEMA } from "../schema/schema.ts";
import { ENTRIES_OF_ALL } from "../schema/search-entries.ts";
import { sqliteStartError } from "../sqlite/errors.ts";
import { APPLICATION_ID, logOf, SIDE_FILES, sizeOf } from "../sqlite/file.ts";
import { withExclusiveLock } from "../sqlite/locks/exclusive-lock.ts";
import { takeOver } from "../sqlite/restore.ts";
import { createPrivately } from "../sqlite/sqlite.ts";
import { carryingStatements, EARLIER_CHANGES } from "./statements.ts";

/**
 * Copies a database of commit 73274df2 into a new file with the present schema, and puts that in its place. The old one is
 * kept beside it. At every instant one of the two is in place, whole.
 *
 * @throws StartError when another process has the database open, or there is no room; nothing has changed then
 */
export async function upgradeSqlite(given: string, log?: Log): Promise<void> {
  // Not the link by which it may be known.
  const location = realpathSync(given);
  const staged = `${location}.upgrading`;
  const keepAs = `${location}.before-upgrade-${new Date().toISOString().replace(/[-:.]/g, "")}`;
  const start = performance.now();
  refuseWithoutRoom(location);
  await withExclusiveLock(location, (present) => {
    // Another process has upgraded it in the meantime.
    if (present?.prepare("select 1 from meta where name = 'schema'").get() !== undefined) return;
    removeStaged(staged);
    try {
      copyInto(staged, location);
      takeOver(staged, location);
      keep(location, keepAs);
      renameSync(staged, location);
      syncFolder(dirname(location));
    } catch (error) {
      throw sqliteStartError(location, error);
    } finally {
      removeStaged(staged);
    }
  });
  log?.info(`The database of commit 73274df2 was upgraded; it is kept as ${keepAs}.`, {
    milliseconds: Math.round(performance.now() - start),
  });
}

/** @throws StartError */
function refuseWithoutRoom(location: string): void {
  const { bavail, bsize } = statfsSync(dirname(location));
  const needed = sizeOf(location) + sizeOf(logOf(location));
  if (bavail * bsize >= needed) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);
  throw new StartError(
    `${location} has to be upgraded, for which it is copied: that needs ${megabytes(needed)} MB of disk space, and ${megabytes(bavail * bsize)} MB are free.`,
    1,
  );
}

/** @param location locked by this process, so nobody writes to it */
function copyInto(staged: string, location: string): void {
  createPrivately(staged);
  const connection = new DatabaseSync(staged, { timeout: 0, enableForeignKeyConstraints: false });
  try {
    // Nobody reads the file before it is whole, so it needs no journal, and one fsync, with the commit.
    connection.exec("pragma journal_mode = memory; pragma synchronous = full; pragma cache_size = -65536");
    const old = `${pathToFileURL(location).href}?immutable=1`;
    connection.exec(`attach '${old.replaceAll("'", "''")}' as old; begin`);
    for (const statement of [...SCHEMA.sqlite, ...carryingStatements("old"), ...ENTRIES_OF_ALL.sqlite])
      connection.exec(statement);
    const insert = connection.prepare("insert into meta (name, value) values (?, ?)");
    for (const fact of factsOfUpgraded()) insert.run(...fact);
    // Ids are never used twice, not even those of deleted records.
    const names = `case name when '${EARLIER_CHANGES}' then 'changes' else name end`;
    connection.exec(`delete from sqlite_sequence where name in (select ${names} from old.sqlite_sequence);
      insert into sqlite_sequence (name, seq) select ${names}, seq from old.sqlite_sequence;
      delete from sqlite_sequence where name not in (select name from main.sqlite_schema);
      pragma application_id = ${APPLICATION_ID}; commit`);
  } finally {
    connection.close();
  }
}

/** Gives the old database a second name, so that the first name is never without a database. */
function keep(location: string, keepAs: string): void {
  try {
    linkSync(location, keepAs);
  } catch (error) {
    throw new StartError(
      `${location} has to be upgraded, but cannot be kept as ${keepAs}: ${messageOf(error)}.`,
      1,
      error,
    );
  }
}

function removeStaged(staged: string): void {
  for (const end of ["", ...SIDE_FILES]) rmSync(staged + end, { force: true });
}

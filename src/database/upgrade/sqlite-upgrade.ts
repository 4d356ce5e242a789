import { linkSync, realpathSync, renameSync, rmSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { messageOf, StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { syncFile, syncFolder } from "../durable-files.ts";
import { nameOf, nameStatement, SCHEMA_QUERY, type Schema, stepsAfter } from "../schema/schema.ts";
import { tablesIn } from "../schema/statements.ts";
import type { Step } from "../schema/steps/steps.ts";
import { createSql } from "../sqlite/connection.ts";
import { sqliteStartError } from "../sqlite/errors.ts";
import { createPrivately, logOf, SIDE_FILES, sizeOf } from "../sqlite/file.ts";
import { withExclusiveLock } from "../sqlite/locks/exclusive-lock.ts";
import { continueIds, highestIds, takeOver } from "../sqlite/restore.ts";

/**
 * Takes the steps that a database lacks, on a copy, and puts that in its place. The old file is kept next to it until the
 * next upgrade. At every instant one of the two is in place, whole.
 *
 * @throws StartError when another process has the database open, or there is no room; nothing has changed then
 */
export async function upgradeSqlite(given: string, schema: Schema, log?: Log): Promise<void> {
  // Not the link by which it may be known.
  const location = realpathSync(given);
  const staged = `${location}.upgrading`;
  const keepAs = keptName(location, nameOf(schema));
  const start = performance.now();
  refuseWithoutRoom(location);
  await withExclusiveLock(location, async (present) => {
    const from = String(present?.prepare(SCHEMA_QUERY).get()?.value);
    const steps = stepsAfter(from, schema) ?? [];
    // Another process has upgraded it in the meantime.
    if (steps.length === 0) return;
    removeStaged(staged);
    try {
      await copyInto(staged, location);
      await takeSteps(staged, steps, schema);
      takeOver(staged, location);
      keep(location, keepAs);
      renameSync(staged, location);
      syncFolder(dirname(location));
      for (const { name } of schema.steps.slice(0, -1)) rmSync(keptName(location, name), { force: true });
    } catch (error) {
      throw sqliteStartError(location, error);
    } finally {
      removeStaged(staged);
    }
    log?.info(
      `The database was upgraded from the schema ${from} to ${nameOf(schema)}; the old one is kept as ${keepAs}.`,
      {
        milliseconds: Math.round(performance.now() - start),
      },
    );
  });
}

/** @param name of the schema to which the steps lead */
function keptName(location: string, name: string): string {
  return `${location}.before-${name}`;
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

/** Pages copied per turn of the event loop: four megabytes. */
const COPY_PAGES = 1_000;

/** @param location locked by this process, so nobody writes to it */
async function copyInto(staged: string, location: string): Promise<void> {
  createPrivately(staged);
  // Read without a lock of its own, which this process could not get.
  const source = new DatabaseSync(`${pathToFileURL(location).href}?immutable=1`, { readOnly: true });
  try {
    await backup(source, staged, { rate: COPY_PAGES });
  } finally {
    source.close();
  }
}

async function takeSteps(staged: string, steps: readonly Step[], schema: Schema): Promise<void> {
  // Without foreign keys, which a table that is rebuilt would take along.
  const connection = new DatabaseSync(staged, { timeout: 0, enableForeignKeyConstraints: false });
  try {
    // Nobody reads the file before it is whole, so it needs no journal, and one fsync.
    connection.exec(
      "pragma journal_mode = memory; pragma synchronous = off; pragma cache_size = -65536; begin",
    );
    const given = highestIds(connection);
    for (const { sqlite, fill } of steps) {
      for (const statement of sqlite) connection.exec(statement);
      await fill?.(createSql(connection));
    }
    // Of a table that was rebuilt, ids of deleted records, too, are not given again.
    const tables = new Set(tablesIn(schema.sqlite));
    continueIds(connection, new Map([...given].filter(([table]) => tables.has(table))));
    connection.exec(nameStatement(schema));
    connection.exec("commit");
  } finally {
    connection.close();
  }
  syncFile(staged);
}

/** Gives the old database a second name, so that the first name is never without a database. */
function keep(location: string, keepAs: string): void {
  try {
    // Of an upgrade that was interrupted or rolled back.
    rmSync(keepAs, { force: true });
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

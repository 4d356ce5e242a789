import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Argument, Command } from "commander";
import { contentProblems } from "../../checks/content-check.ts";
import { inspectDatabase } from "../../database/open-inspection.ts";
import { copySqlite } from "../../database/sqlite/backup.ts";
import type { DatabaseContents } from "../../database/sqlite/backup-digests.ts";
import { markBackup } from "../../database/sqlite/backup-mark.ts";
import { isOfEarlierSchema } from "../../database/sqlite/restore.ts";
import { messageOf, StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { NewFile } from "../files/new-file.ts";
import { removeLeftovers } from "../files/partial-file.ts";
import { countsText } from "../terminal/count-text.ts";
import { printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption } from "../with-database.ts";
import { OF_EARLIER_SCHEMA, withoutObjects } from "./backup-file.ts";
import { lowerPriority } from "./lower-priority.ts";
import { sqliteFile } from "./sqlite-only.ts";

interface Flags extends DatabaseFlags {
  readonly force?: boolean;
}

/** `commonplace backup`: exit code 1 when no valid backup was made, or one of damaged records; 2 for a usage error. */
export function backupCommand(): Command {
  return new Command("backup")
    .description("Back up the database to a file and verify the copy. The server may be running.")
    .addArgument(new Argument("<file>", "the file to write; - for standard output"))
    .option("--force", "overwrite an existing file")
    .addOption(databaseOption())
    .action(backUp);
}

async function backUp(file: string, flags: Flags): Promise<void> {
  const database = sqliteFile(flags, "pg_dump");
  lowerPriority();
  if (file === "-") await toStandardOutput(database);
  else await toFile(database, file, flags.force === true);
}

async function toFile(database: string, path: string, overwrite: boolean): Promise<void> {
  using file = new NewFile(path, { overwrite, protectedPath: database });
  const copied = await copySqlite(database, file.partial);
  const { size } = statSync(file.partial);
  const isBehind = await isOfEarlierSchema(file.partial);
  const damage = isBehind ? [] : await contentDamage(file.partial);
  await file.publish();
  markBackup(database);
  console.log(summary(database, file.path, { ...copied, size, isBehind }));
  warnOf(damage);
}

async function toStandardOutput(database: string): Promise<void> {
  if (process.stdout.isTTY)
    throw new StartError("Cannot write a backup to a terminal: use a file or a pipe.", 2);
  removeLeftovers(tmpdir(), (name) => /^commonplace-backup-(\d+)-/.exec(name)?.[1]);
  const folder = mkdtempSync(join(tmpdir(), `commonplace-backup-${process.pid}-`));
  try {
    const path = join(folder, "backup.db");
    closeSync(openSync(path, "wx", 0o600));
    const copied = await copySqlite(database, path);
    const { size } = statSync(path);
    const isBehind = await isOfEarlierSchema(path);
    const damage = isBehind ? [] : await contentDamage(path);
    await send(path);
    markBackup(database);
    printRemark(summary(database, "the standard output", { ...copied, size, isBehind }));
    warnOf(damage);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The backup failed: ${messageOf(error)}.`, 1, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What of the texts and images differs from its digest. */
async function contentDamage(path: string): Promise<string[]> {
  const inspection = await inspectDatabase(`sqlite:${path}`);
  try {
    return await contentProblems(inspection);
  } finally {
    await inspection.close();
  }
}

/** The backup is written all the same, since all else is newer in it; the exit code keeps scripts from deleting older ones. */
function warnOf(damage: readonly string[]): void {
  if (damage.length === 0) return;
  process.exitCode = 1;
  printRemark(
    `${damage.join("; ")}. The backup has them as they are now: keep older ones, which may have them whole.`,
  );
}

async function send(path: string): Promise<void> {
  try {
    await pipeline(createReadStream(path), process.stdout);
  } catch (error) {
    throw new StartError(`The backup could not be sent to standard output: ${messageOf(error)}.`, 1, error);
  }
}

interface Written {
  readonly size: number;
  readonly contents: DatabaseContents;
  readonly isBehind: boolean;
  readonly isWithoutIndex: boolean;
}

const WITHOUT_INDEX =
  'The search index is damaged, and was left out; no record is. "commonplace reindex" makes it again, and a server with the backup.';

function summary(from: string, to: string, { size, contents, isBehind, isWithoutIndex }: Written): string {
  const counts = new Map([...contents].map(([name, { rows }]) => [name, rows]));
  const counted = countsText(counts, ["bookmark", "post", "comment", "account"]);
  const megabytes = (size / 1e6).toFixed(1);
  const summary = `Backed up ${printable(from)} to ${printable(to)}: ${counted}; ${megabytes} MB, checked.`;
  return [
    summary,
    ...withoutObjects(counts),
    ...(isBehind ? [OF_EARLIER_SCHEMA] : []),
    ...(isWithoutIndex ? [WITHOUT_INDEX] : []),
  ].join("\n");
}

import { closeSync, createReadStream, existsSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Argument, Command } from "commander";
import { type EndedAccess, endAccess } from "../../database/sqlite/end-access.ts";
import { createFolder } from "../../database/sqlite/file.ts";
import { withExclusiveLock } from "../../database/sqlite/locks/exclusive-lock.ts";
import { checkBackup, replaceDatabase } from "../../database/sqlite/restore.ts";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { reasonOf } from "../files/file-errors.ts";
import { unreadable } from "../files/input-file.ts";
import { isSameFile } from "../files/new-file.ts";
import { handlePendingSignals, PartialFile } from "../files/partial-file.ts";
import { commandLine } from "../terminal/command-line.ts";
import { countsText, countText } from "../terminal/count-text.ts";
import { printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption } from "../with-database.ts";
import {
  OF_EARLIER_SCHEMA,
  refuseIncomplete,
  refuseOther,
  withoutDigests,
  withoutObjects,
} from "./backup-file.ts";
import { sqliteFile } from "./sqlite-only.ts";

interface Flags extends DatabaseFlags {
  readonly force?: boolean;
  readonly endAccess?: boolean;
}

/**
 * `commonplace restore`: exit code 1 when the database is unchanged because the backup is damaged, a server is
 * running, or for another reason; 2 for a usage error or when the backup cannot be read.
 */
export function restoreCommand(): Command {
  return new Command("restore")
    .description("Restore the database from a backup. Stop the server first.")
    .addArgument(new Argument("<file>", "the backup file; - for standard input"))
    .option("--force", "replace an existing database; it is renamed, not deleted")
    .option(
      "--end-access",
      "end all sessions, tokens, shared lists, feeds and other secrets of the backup, and name accounts that differ from the replaced database",
    )
    .addOption(databaseOption())
    .action(restore);
}

async function restore(file: string, flags: Flags): Promise<void> {
  const database = sqliteFile(flags, "pg_restore");
  if (file === "-" && process.stdin.isTTY)
    throw new StartError("Cannot read a backup from a terminal: give a file or use a pipe.", 2);
  if (file !== "-") refuseSource(file, database);
  await refuseTarget(database, flags.force === true);
  try {
    createFolder(dirname(database));
    using staged = new PartialFile(database);
    await copyTo(staged.path, file);
    refuseOther(staged.path, file);
    const { counts, isBehind, hasDigests } = await checkBackup(staged.path, nameOf(file));
    await handlePendingSignals();
    const keepAs = `${database}.replaced-${new Date().toISOString().replace(/[-:.]/g, "")}`;
    let access: EndedAccess | undefined;
    const wasThere = await replaceDatabase(database, staged.path, keepAs, (backup, present) => {
      if (flags.endAccess) access = endAccess(backup, present);
    });
    console.log(
      `Restored ${printable(database)} from ${nameOf(file)}: ${countsText(counts, ["bookmark", "post", "account"])}.`,
    );
    for (const line of withoutObjects(counts)) console.log(line);
    if (isBehind) console.log(OF_EARLIER_SCHEMA);
    if (!hasDigests) printRemark(withoutDigests(nameOf(file)));
    for (const line of access === undefined ? [] : accessText(access)) console.log(line);
    if (wasThere) console.log(`The replaced database is kept as ${printable(keepAs)}.`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${printable(database)} ${reasonOf(error, "written")}.`, 1, error);
  }
}

/** What was ended, and what the owner should look at. */
function accessText({ ended, accounts }: EndedAccess): string[] {
  const { sessions, tokens, addresses } = ended;
  const all = [
    countText(sessions, "session"),
    countText(tokens, "token"),
    `${addresses} shared ${addresses === 1 ? "list, feed or other secret" : "lists, feeds and other secrets"}`,
  ];
  const lines = [`Ended: ${all.join(", ")}.`];
  if (accounts === undefined)
    return [
      ...lines,
      "Passwords and accounts are those of the backup; there is no readable database to compare them with.",
    ];
  const { password, disabled, enabled, removed, added } = accounts;
  const differences = [
    [password, "has the password of the backup again", "account password NAME"],
    [disabled, "was disabled since, and is enabled again", "account disable NAME"],
    [enabled, "was enabled since, and is disabled again", "account enable NAME"],
    [removed, "was removed since, and is back", "account remove NAME"],
    [added, "was added since, and is not there any more", "account add NAME"],
  ] as const;
  const found = differences.flatMap(([names, what, command]) =>
    names.map((name) => {
      const call = commandLine(...command.split(" ").map((word) => (word === "NAME" ? name : word)));
      return `The account ${printable(name)} ${what}: ${call}`;
    }),
  );
  return [...lines, ...(found.length === 0 ? ["No account differs from the replaced database."] : found)];
}

function refuseSource(file: string, database: string): void {
  if (isSameFile(file, database)) throw new StartError(`${printable(file)} is the database itself.`, 1);
  refuseIncomplete(file);
}

/** Checks before anything is copied. @throws StartError when the database must not be replaced */
async function refuseTarget(database: string, force: boolean): Promise<void> {
  if (!existsSync(database)) return;
  if (!force)
    throw new StartError(
      `${printable(database)} already exists; --force replaces it and keeps it under another name.`,
      1,
    );
  await withExclusiveLock(database, () => {});
}

async function copyTo(path: string, file: string): Promise<void> {
  const chunks = (file === "-" ? process.stdin : createReadStream(file))[Symbol.asyncIterator]();
  const descriptor = openSync(path, "r+");
  try {
    for (;;) {
      const { value, done } = await chunks.next().catch((error) => {
        throw unreadable(file, reasonOf(error, "read"), error);
      });
      if (done) return;
      writeWhole(descriptor, Buffer.from(value));
    }
  } finally {
    closeSync(descriptor);
  }
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let start = 0; start < bytes.length; ) start += writeSync(descriptor, bytes, start);
}

function nameOf(file: string): string {
  return file === "-" ? "the standard input" : printable(file);
}

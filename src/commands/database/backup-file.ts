import { closeSync, openSync, readSync, statSync } from "node:fs";
import { hasDigest } from "../../database/sqlite/backup-digests.ts";
import { logOf } from "../../database/sqlite/file.ts";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { unreadable } from "../files/input-file.ts";

/** @throws StartError when the file cannot be a complete backup */
export function refuseIncomplete(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw unreadable(file, "does not exist");
  if (stats.isDirectory()) throw unreadable(file, "is a folder, not a file");
  const log = statSync(logOf(file), { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0)
    throw new StartError(
      `${printable(file)} has a write-ahead log next to it, so it is incomplete on its own. Make a backup of it first: ` +
        `commonplace backup --database-url sqlite:${printable(file)} FILE`,
      1,
    );
}

/** The first bytes of every SQLite database (sqlite.org/fileformat.html). */
const MAGIC = Buffer.from("SQLite format 3\0");

/**
 * SQLite would open an empty file as a new database.
 * @param path where the bytes are
 * @param file the name that was given
 * @throws StartError when it is no database, nor ends as a backup
 */
export function refuseOther(path: string, file: string): void {
  const beginning = Buffer.alloc(MAGIC.length);
  const descriptor = openSync(path, "r");
  const length = readSync(descriptor, beginning);
  closeSync(descriptor);
  if (length === 0) throw unreadable(file, "is empty");
  if (!beginning.equals(MAGIC) && !hasDigest(path))
    throw unreadable(file, "is not a backup: it is not a SQLite database");
}

/** Said of a backup that another program or an earlier version made. */
export function withoutDigests(name: string): string {
  return `${name} has no checksum (an earlier version or another program made it): a changed byte in it may go unnoticed.`;
}

/** Said of a backup with the schema of an earlier version. */
export const OF_EARLIER_SCHEMA =
  "It has the schema of an earlier version: a server of this version upgrades it when it starts with it.";

/** What a backup does not have, as a sentence; none if it has everything. */
export function withoutObjects(counts: ReadonlyMap<string, number>): string[] {
  const objects = counts.get("media_objects") ?? 0;
  if (objects === 0) return [];
  return [
    `Pictures in the object store (MEDIA) are not in it: ${objects === 1 ? "1 object" : `${objects} objects`}.`,
  ];
}

import { chmodSync, realpathSync, statSync, writeFileSync } from "node:fs";

/** Ends the name of the file next to a database whose date is that of its last backup. */
export const BACKUP_MARK = "-backed-up";

/** Notes next to a database that it was backed up just now. Never throws: the folder may be read-only. */
export function markBackup(location: string): void {
  const mark = realpathSync(location) + BACKUP_MARK;
  try {
    writeFileSync(mark, `${new Date().toISOString()}\n`, { mode: 0o600 });
    chmodSync(mark, 0o600);
  } catch {
    // The backup is made all the same.
  }
}

/** When a database was last backed up, in milliseconds since 1970; undefined if it is not known. */
export function lastBackupOf(location: string): number | undefined {
  try {
    return statSync(realpathSync(location) + BACKUP_MARK, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

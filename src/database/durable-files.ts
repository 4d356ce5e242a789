import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";

/** What was made, renamed or removed in a folder survives a power cut once this returns. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** What was written to a file survives a power cut once this returns. Never for one that SQLite has open here. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/**
 * Renames a file, but never takes the place of what somebody else has made under the new name meanwhile.
 * @throws the system's error when something is there, or the file cannot be renamed
 */
export function renameUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (existsSync(to)) throw error;
    // Not every file system has second names.
    renameSync(from, to);
    return;
  }
  rmSync(from);
}

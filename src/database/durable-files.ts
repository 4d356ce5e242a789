import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";

/** Makes the entries of a folder durable: files created, renamed or removed in it survive a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Makes a file's contents durable. Never for a file that SQLite has open in this process: closing it drops its locks. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/**
 * Renames a file without replacing an existing one.
 * @throws the system's error when the target exists, or the file cannot be renamed
 */
export function renameUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (existsSync(to)) throw error;
    // Not every file system has hard links.
    renameSync(from, to);
    return;
  }
  rmSync(from);
}

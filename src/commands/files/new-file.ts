import { existsSync, realpathSync, renameSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { renameUnlessThere, syncFile, syncFolder } from "../../database/durable-files.ts";
import { SIDE_FILES } from "../../database/sqlite/file.ts";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { isSystemError, reasonOf } from "./file-errors.ts";
import { handlePendingSignals, PartialFile } from "./partial-file.ts";

/** How to treat an existing file. */
export interface NewFileOptions {
  readonly overwrite: boolean;
  /** A file that must never be overwritten, under any of its names. */
  readonly protectedPath: string;
}

/** A new file that appears under its name complete or not at all, readable by its owner only. */
export class NewFile implements Disposable {
  readonly path: string;
  readonly #partial: PartialFile;
  readonly #overwrite: boolean;

  /** @throws StartError when the file cannot or must not be written */
  constructor(path: string, { overwrite, protectedPath }: NewFileOptions) {
    this.path = existsSync(path) ? realpathSync(path) : resolve(path);
    this.#overwrite = overwrite;
    refuseFolder(dirname(this.path));
    this.#refuseExisting(protectedPath);
    this.#partial = this.#attempt(() => new PartialFile(this.path));
  }

  /** The path to write to: an empty temporary file in the same folder. */
  get partial(): string {
    return this.#partial.path;
  }

  /** Syncs the file, then renames it to its final name. */
  async publish(): Promise<void> {
    await handlePendingSignals();
    this.#attempt(() => {
      syncFile(this.partial);
      if (this.#overwrite) renameSync(this.partial, this.path);
      else this.#appear();
      syncFolder(dirname(this.path));
    });
  }

  /** Removes the temporary file unless it was published. */
  [Symbol.dispose](): void {
    this.#partial[Symbol.dispose]();
  }

  /** @throws StartError when a file of that name has been created since */
  #appear(): void {
    try {
      renameUnlessThere(this.partial, this.path);
    } catch (error) {
      if (isSystemError(error, "EEXIST") || existsSync(this.path)) throw thereAlready(this.path);
      throw error;
    }
  }

  #refuseExisting(protectedPath: string): void {
    for (const kept of [protectedPath, ...SIDE_FILES.map((end) => protectedPath + end)]) {
      if (isSameFile(this.path, kept)) throw refused(`${printable(this.path)} is the database itself.`);
    }
    // SQLite would take files with these names for side files of the new one.
    const side = SIDE_FILES.map((end) => this.path + end).find(existsSync);
    if (side !== undefined)
      throw refused(`${printable(this.path)} is a database in use, or was: ${printable(side)} is there.`);
    const there = statSync(this.path, { throwIfNoEntry: false });
    if (there === undefined) return;
    if (there.isDirectory()) throw refused(`${printable(this.path)} is a folder, not a file.`);
    if (!there.isFile())
      throw refused(`${printable(this.path)} is not a regular file; "-" writes to the standard output.`);
    if (!this.#overwrite) throw thereAlready(this.path);
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof StartError) throw error;
      throw new StartError(`${printable(this.path)} ${reasonOf(error, "written")}.`, 1, error);
    }
  }
}

function refuseFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) throw refused(`There is no folder ${printable(folder)}.`);
  if (!stats.isDirectory()) throw refused(`${printable(folder)} is not a folder.`);
}

function thereAlready(path: string): StartError {
  return refused(`${printable(path)} already exists; --force replaces it.`);
}

function refused(sentence: string): StartError {
  return new StartError(sentence, 1);
}

/** Whether two paths name the same file, through symbolic and hard links too. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path): Stats | undefined => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

import { existsSync, realpathSync, renameSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { renameUnlessThere, syncFile, syncFolder } from "../../database/durable-files.ts";
import { SIDE_FILES } from "../../database/sqlite/file.ts";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { isSystemError, reasonOf } from "./file-errors.ts";
import { onSignals, PartialFile } from "./partial-file.ts";

/** What happens to a file that is there already. */
export interface NewFileOptions {
  readonly overwrite: boolean;
  /** A file that is never written over, whatever name it is called by. */
  readonly protectedPath: string;
}

/** A file that appears under its name whole or not at all. Nobody but its owner may read it. */
export class NewFile implements Disposable {
  readonly path: string;
  readonly #partial: PartialFile;
  readonly #overwrite: boolean;

  /** @throws StartError when nothing can or may be written there */
  constructor(path: string, { overwrite, protectedPath }: NewFileOptions) {
    this.path = existsSync(path) ? realpathSync(path) : resolve(path);
    this.#overwrite = overwrite;
    refuseFolder(dirname(this.path));
    this.#refuseExisting(protectedPath);
    this.#partial = this.#attempt(() => new PartialFile(this.path));
  }

  /** Where to write: an empty file in the same folder. */
  get partial(): string {
    return this.#partial.path;
  }

  /** Puts the file on the disk, and then under its name. */
  async publish(): Promise<void> {
    await onSignals();
    this.#attempt(() => {
      syncFile(this.partial);
      if (this.#overwrite) renameSync(this.partial, this.path);
      else this.#appear();
      syncFolder(dirname(this.path));
    });
  }

  /** Removes what has not been published. */
  [Symbol.dispose](): void {
    this.#partial[Symbol.dispose]();
  }

  /** @throws StartError when another has made a file of that name meanwhile */
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
    // What SQLite finds beside a file under these names it takes for a part of it.
    const side = SIDE_FILES.map((end) => this.path + end).find(existsSync);
    if (side !== undefined)
      throw refused(`${printable(this.path)} is a database in use, or was: ${printable(side)} is there.`);
    const there = statSync(this.path, { throwIfNoEntry: false });
    if (there === undefined) return;
    if (there.isDirectory()) throw refused(`${printable(this.path)} is a folder, not a file.`);
    if (!there.isFile())
      throw refused(`${printable(this.path)} is no regular file; "-" writes to the standard output.`);
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
  if (!stats.isDirectory()) throw refused(`${printable(folder)} is no folder.`);
}

function thereAlready(path: string): StartError {
  return refused(`${printable(path)} is there already; --force replaces it.`);
}

function refused(sentence: string): StartError {
  return new StartError(sentence, 1);
}

/** Whether two names mean one file, over symbolic and hard links too. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path): Stats | undefined => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

import { realpathSync, statSync } from "node:fs";
import { Refusal } from "../../errors.ts";
import type { Log } from "../../log.ts";

/** The files of a database in use, by which other processes find and lock it. */
const FILES = ["", "-wal", "-shm"] as const;

/** The identity of the file at a path; undefined when the system does not report it, and then nothing is checked. */
type Identity = string | "missing" | undefined;

/**
 * Detects whether the files of an open database still have their names. A process that has removed, renamed or
 * replaced files open can still use them, but nobody else sees its writes, and they are lost when it ends. Create it
 * while the database is open: SQLite keeps the names of open files as they are.
 */
export class FilesInPlace {
  readonly #paths: readonly string[];
  readonly #opened: readonly Identity[];
  readonly #location: string;
  readonly #log: Log | undefined;
  #inPlace = true;

  constructor(location: string, log?: Log) {
    this.#location = location;
    this.#log = log;
    const file = realpathSync(location);
    // The database by its original name: a symbolic link may have changed since.
    this.#paths = [location, ...FILES.slice(1).map((end) => file + end)];
    this.#opened = this.#paths.map(identityOf);
  }

  /** @throws Refusal `unavailable` when one of the names has another file, or none */
  check(): void {
    const moved = this.#paths.find((path, index) => isDifferentFile(this.#opened[index], identityOf(path)));
    if (this.#inPlace !== (moved === undefined)) this.#logChange(moved);
    if (moved === undefined) return;
    const detail =
      "The database file was moved, removed or replaced. Nothing can be stored until it is back or the server is restarted.";
    throw new Refusal("unavailable", detail, { retryAfter: 30 });
  }

  #logChange(moved: string | undefined): void {
    this.#inPlace = moved === undefined;
    if (moved === undefined) this.#log?.info("The database file is back in place.");
    else
      this.#log?.error(
        `${moved} was moved, removed or replaced while the server is using ${this.#location}: writes are refused. ` +
          "Put it back, or restart the server with a database in place.",
      );
  }
}

/** Never opens the file: closing it would release the locks of this process (POSIX). */
function identityOf(path: string): Identity {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? "missing" : `${stats.dev}:${stats.ino}`;
  } catch {
    // The folder is no longer readable, but the files may be unchanged.
    return undefined;
  }
}

function isDifferentFile(opened: Identity, found: Identity): boolean {
  return opened !== undefined && found !== undefined && opened !== found;
}

import { realpathSync, statSync } from "node:fs";
import { Refusal } from "../../errors.ts";
import type { Log } from "../../log.ts";

/** Those of a database in use: all that other processes find it by, and lock it with. */
const FILES = ["", "-wal", "-shm"] as const;

/** Which file stands under a path; undefined when the system does not tell, so that nothing follows from it. */
type Identity = string | "missing" | undefined;

/**
 * Detects whether the files of an open database still have their names. Files that were removed, renamed or
 * replaced go on working for the process that has them open, and for nobody else: what it writes is lost when it
 * ends. Create it while the database is open: SQLite keeps the names of open files as they are.
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
    // The database by the name that it was opened by: a symbolic link may come to point elsewhere.
    this.#paths = [location, ...FILES.slice(1).map((end) => file + end)];
    this.#opened = this.#paths.map(identityOf);
  }

  /** @throws Refusal `unavailable` when another file, or none, stands under one of the names */
  check(): void {
    const moved = this.#paths.find((path, index) => isAnother(this.#opened[index], identityOf(path)));
    if (this.#inPlace !== (moved === undefined)) this.#tell(moved);
    if (moved === undefined) return;
    const detail =
      "The database file was moved or removed. Nothing can be stored until the server is restarted.";
    throw new Refusal("unavailable", detail, { retryAfter: 30 });
  }

  #tell(moved: string | undefined): void {
    this.#inPlace = moved === undefined;
    if (moved === undefined) this.#log?.info("The database file is back in place.");
    else
      this.#log?.error(
        `${moved} was moved, removed or replaced while the server is using ${this.#location}: writes are refused. ` +
          "Put it back, or restart the server with a database in place.",
      );
  }
}

/** Asks the folder, and never opens the file: closing it would give up the locks of this process (POSIX). */
function identityOf(path: string): Identity {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? "missing" : `${stats.dev}:${stats.ino}`;
  } catch {
    // A folder that this process may no longer look into: its files may well be in their places.
    return undefined;
  }
}

function isAnother(opened: Identity, found: Identity): boolean {
  return opened !== undefined && found !== undefined && opened !== found;
}

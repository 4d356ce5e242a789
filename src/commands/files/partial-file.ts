import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SIDE_FILES } from "../../database/sqlite/file.ts";
import { isSystemError } from "./file-errors.ts";

/**
 * An empty file in the folder of another, with a name that tells what it is going to be; only its owner may
 * read it. A process that is interrupted (SIGINT, SIGTERM) removes it. One that is killed leaves it behind, and
 * the next one that makes one for the same file removes it.
 */
export class PartialFile implements Disposable {
  readonly path: string;
  readonly #interrupted = (signal: "SIGINT" | "SIGTERM") => {
    this[Symbol.dispose]();
    process.exit(signal === "SIGINT" ? 130 : 143);
  };

  /** @param forPath what it is going to be. @throws system errors */
  constructor(forPath: string) {
    const beginning = `.${basename(forPath)}.`;
    removeLeftovers(dirname(forPath), (name) =>
      name.startsWith(beginning) ? /^(\d+)\.partial/.exec(name.slice(beginning.length))?.[1] : undefined,
    );
    this.path = join(dirname(forPath), `${beginning}${process.pid}.partial`);
    // Listening first: from the moment that the file is there, no signal may end the process without it.
    process.on("SIGINT", this.#interrupted).on("SIGTERM", this.#interrupted);
    try {
      closeSync(openSync(this.path, "wx", 0o600));
    } catch (error) {
      this.#stopListening();
      throw error;
    }
  }

  /** Removes it, unless it has another name by now. */
  [Symbol.dispose](): void {
    this.#stopListening();
    for (const end of ["", ...SIDE_FILES]) rmSync(this.path + end, { force: true });
  }

  #stopListening(): void {
    process.off("SIGINT", this.#interrupted).off("SIGTERM", this.#interrupted);
  }
}

/** Lets a signal take effect that came while the event loop stood still: before what it was to prevent is done. */
export function onSignals(): Promise<void> {
  return setImmediate();
}

/**
 * Removes what processes that have died have left in a folder.
 * @param pidIn the number of the process that a name tells; undefined for those of others
 */
export function removeLeftovers(folder: string, pidIn: (name: string) => string | undefined): void {
  for (const name of readdirSync(folder)) {
    const pid = pidIn(name);
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Another user's, who will see to it.
    }
  }
}

function isAlive(pid: number): boolean {
  // A process that has this one's number and left something was another, before.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isSystemError(error, "ESRCH");
  }
}

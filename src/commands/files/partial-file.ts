import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SIDE_FILES } from "../../database/sqlite/file.ts";
import { isSystemError } from "./file-errors.ts";

/**
 * A temporary file next to its final path, readable by its owner only. An interrupted process (SIGINT, SIGTERM)
 * removes it; one left by a killed process is removed by the next process that writes the same file.
 */
export class PartialFile implements Disposable {
  readonly path: string;
  readonly #interrupted = (signal: "SIGINT" | "SIGTERM") => {
    this[Symbol.dispose]();
    process.exit(signal === "SIGINT" ? 130 : 143);
  };

  /** @param forPath its final path. @throws system errors */
  constructor(forPath: string) {
    const beginning = `.${basename(forPath)}.`;
    removeLeftovers(dirname(forPath), (name) =>
      name.startsWith(beginning) ? /^(\d+)\.partial/.exec(name.slice(beginning.length))?.[1] : undefined,
    );
    this.path = join(dirname(forPath), `${beginning}${process.pid}.partial`);
    // Listen first: once the file exists, no signal may end the process without removing it.
    process.on("SIGINT", this.#interrupted).on("SIGTERM", this.#interrupted);
    try {
      closeSync(openSync(this.path, "wx", 0o600));
    } catch (error) {
      this.#stopListening();
      throw error;
    }
  }

  /** Removes it unless it was renamed. */
  [Symbol.dispose](): void {
    this.#stopListening();
    for (const end of ["", ...SIDE_FILES]) rmSync(this.path + end, { force: true });
  }

  #stopListening(): void {
    process.off("SIGINT", this.#interrupted).off("SIGTERM", this.#interrupted);
  }
}

/** Lets pending signals take effect after synchronous work, before the result is published. */
export function handlePendingSignals(): Promise<void> {
  return setImmediate();
}

/**
 * Removes temporary files of dead processes from a folder.
 * @param pidIn the process id in a file name; undefined for other files
 */
export function removeLeftovers(folder: string, pidIn: (name: string) => string | undefined): void {
  for (const name of readdirSync(folder)) {
    const pid = pidIn(name);
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // A file of another user.
    }
  }
}

function isAlive(pid: number): boolean {
  // A leftover with this process's own id is from an earlier process.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isSystemError(error, "ESRCH");
  }
}

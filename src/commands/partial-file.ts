import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SIDE_FILES } from "../database/sqlite-file.ts";
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
    closeSync(openSync(this.path, "wx", 0o600));
    process.on("SIGINT", this.#interrupted).on("SIGTERM", this.#interrupted);
  }

  /** Removes it, unless it has another name by now. */
  [Symbol.dispose](): void {
    process.off("SIGINT", this.#interrupted).off("SIGTERM", this.#interrupted);
    for (const end of ["", ...SIDE_FILES]) rmSync(this.path + end, { force: true });
  }
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

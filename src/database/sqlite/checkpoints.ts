import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Log } from "../../log.ts";
import type { DatabaseObserver } from "../database.ts";

/** The write-ahead log goes into the file after this many pages at most, 16 MiB: pages that many commits touch are written once. */
const PAGES_MAX = 4_000;
/** The most pages in the log of a small database, 1 MiB. */
const PAGES_MIN = 256;
const PAGE_SIZE = 4096;

/**
 * Takes what stands in the write-ahead log into the database's file. SQLite would do so by itself, but would keep
 * a failure to itself, and let a young database live in its log alone: a copy of the file would have nothing.
 */
export class Checkpoints {
  readonly #location: string;
  readonly #state: StatementSync;
  readonly #run: StatementSync;
  readonly #observer: DatabaseObserver | undefined;
  readonly #log: Log | undefined;
  #threshold: number;
  #failing = false;

  /** @param connection one that writes; its own checkpoints are turned off */
  constructor(
    connection: DatabaseSync,
    location: string,
    { observer, log }: { observer?: DatabaseObserver | undefined; log?: Log | undefined } = {},
  ) {
    connection.exec("pragma wal_autocheckpoint = 0");
    this.#location = location;
    this.#state = connection.prepare("pragma wal_checkpoint(noop)");
    this.#run = connection.prepare("pragma wal_checkpoint(passive)");
    this.#observer = observer;
    this.#log = log;
    this.#threshold = this.#usualThreshold();
  }

  /** To be called after a commit; costs next to nothing when there is little to take. Never throws. */
  runIfDue(): void {
    try {
      if (pagesToTake(this.#state) >= this.#threshold) this.run();
    } catch (error) {
      this.#fail(error);
    }
  }

  run(): void {
    try {
      // Without those that others still read from the file; they are taken the next time.
      const left = pagesToTake(this.#run);
      this.#threshold = left + this.#usualThreshold();
      if (this.#failing) this.#log?.info("Checkpoints of the write-ahead log work again.");
      this.#failing = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Nothing is lost, but the log grows until checkpoints work again. */
  #fail(error: unknown): void {
    this.#observer?.checkpointFailed();
    if (!this.#failing)
      this.#log?.error(
        `Checkpoints of the write-ahead log of ${this.#location} fail, so the log keeps growing.`,
        error,
      );
    this.#failing = true;
    // Not after each commit: a disk in trouble is slow as well.
    this.#threshold += this.#usualThreshold();
  }

  /** As many pages as the file has: a young database's log is never much longer than its file. */
  #usualThreshold(): number {
    const size = statSync(this.#location, { throwIfNoEntry: false })?.size ?? 0;
    return Math.min(Math.max(size / PAGE_SIZE, PAGES_MIN), PAGES_MAX);
  }
}

/** How many pages of the log are not in the file yet, once a checkpoint pragma is done. */
function pagesToTake(pragma: StatementSync): number {
  const { log, checkpointed } = pragma.get() ?? {};
  return Math.max(Number(log) - Number(checkpointed), 0);
}

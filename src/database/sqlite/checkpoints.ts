import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Log } from "../../log.ts";
import type { DatabaseObserver } from "../database.ts";

/** The write-ahead log is checkpointed after at most this many pages, 4 MiB: that takes some milliseconds. */
const PAGES_MAX = 1_000;
/** The same for a small database, 1 MiB. */
const PAGES_MIN = 256;
const PAGE_SIZE = 4096;

export interface CheckpointOptions {
  readonly observer?: DatabaseObserver | undefined;
  readonly log?: Log | undefined;
}

/**
 * Checkpoints the write-ahead log into the database's file. SQLite would do so by itself, but would not report a
 * failure, and would leave a young database in its log alone: a copy of the file would be empty.
 */
export class Checkpoints {
  readonly #location: string;
  readonly #state: StatementSync;
  readonly #run: StatementSync;
  readonly #observer: DatabaseObserver | undefined;
  readonly #log: Log | undefined;
  #threshold: number;
  #failing = false;

  /** @param connection the writing connection, whose automatic checkpoints are turned off */
  constructor(connection: DatabaseSync, location: string, { observer, log }: CheckpointOptions = {}) {
    connection.exec("pragma wal_autocheckpoint = 0");
    this.#location = location;
    this.#state = connection.prepare("pragma wal_checkpoint(noop)");
    this.#run = connection.prepare("pragma wal_checkpoint(passive)");
    this.#observer = observer;
    this.#log = log;
    this.#threshold = this.#usualThreshold();
  }

  /** To be called after each commit; cheap when the log is short. Never throws. */
  runIfDue(): void {
    try {
      if (pendingPages(this.#state.get()) >= this.#threshold) this.run();
    } catch (error) {
      this.#fail(error);
    }
  }

  run(): void {
    try {
      const left = pendingPages(this.#run.get());
      // Pages that readers still need in the file stay in the log until the next checkpoint.
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
    // Not after each commit, since a failing disk is slow, too.
    this.#threshold += this.#usualThreshold();
  }

  /** The number of pages of the file, so that the log of a young database is never much longer than its file. */
  #usualThreshold(): number {
    const size = statSync(this.#location, { throwIfNoEntry: false })?.size ?? 0;
    return Math.min(Math.max(size / PAGE_SIZE, PAGES_MIN), PAGES_MAX);
  }
}

/** The number of pages of the log that are not in the file yet, from the result of a checkpoint pragma. */
function pendingPages(row: Readonly<Record<string, unknown>> | undefined): number {
  return Math.max(Number(row?.log) - Number(row?.checkpointed), 0);
}

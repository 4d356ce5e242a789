import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Log } from "../../log.ts";
import type { DatabaseObserver } from "../database.ts";
import { CheckpointThread, type LogState } from "./readers/checkpoint-thread.ts";

/** The write-ahead log goes into the file after this many pages at most, 16 MiB: pages that many commits touch are written once. */
const PAGES_MAX = 4_000;
/** The most pages in the log of a small database, 1 MiB. */
const PAGES_MIN = 256;
const PAGE_SIZE = 4096;
/** Fewer pages than these are taken at once: a thread would cost more memory than they cost time. */
const FEW_PAGES = 1_000;
/** How often the thread takes what was written while it took the pages before. */
const ROUNDS_MAX = 5;

export interface CheckpointOptions {
  readonly observer?: DatabaseObserver | undefined;
  readonly log?: Log | undefined;
  /** Whether others wait for this thread, so that large checkpoints are made in another. */
  readonly isServed?: boolean | undefined;
}

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
  readonly #thread: CheckpointThread | undefined;
  #threshold: number;
  #failing = false;
  #apart: Promise<void> | undefined;

  /** @param connection one that writes; its own checkpoints are turned off */
  constructor(connection: DatabaseSync, location: string, options: CheckpointOptions = {}) {
    const { observer, log, isServed = false } = options;
    connection.exec("pragma wal_autocheckpoint = 0");
    this.#location = location;
    this.#state = connection.prepare("pragma wal_checkpoint(noop)");
    this.#run = connection.prepare("pragma wal_checkpoint(passive)");
    this.#observer = observer;
    this.#log = log;
    this.#threshold = this.#usualThreshold();
    this.#thread = isServed ? new CheckpointThread(location) : undefined;
  }

  /** To be called after a commit; costs next to nothing when there is little to take. Never throws. */
  runIfDue(): void {
    try {
      if (this.#apart !== undefined) return;
      const pages = pagesToTake(this.#state.get());
      if (pages < this.#threshold) return;
      // After a failure here, in case that it was the thread that failed.
      if (this.#thread === undefined || this.#failing || pages < FEW_PAGES) this.run();
      else this.#apart = this.#runApart(this.#thread).finally(() => (this.#apart = undefined));
    } catch (error) {
      this.#fail(error);
    }
  }

  run(): void {
    try {
      // Without those that others still read from the file; they are taken the next time.
      const left = pagesToTake(this.#run.get());
      this.#threshold = left + this.#usualThreshold();
      if (this.#failing) this.#log?.info("Checkpoints of the write-ahead log work again.");
      this.#failing = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Waits for the thread, and ends it. */
  async close(): Promise<void> {
    await this.#apart;
    await this.#thread?.close();
  }

  /** The thread takes most pages, and waits for the disk; the log begins anew when the last few are taken between two commits. */
  async #runApart(thread: CheckpointThread): Promise<void> {
    try {
      for (let round = 0; round < ROUNDS_MAX; round++)
        if (pagesToTake(await thread.run()) < PAGES_MIN && pagesToTake(this.#state.get()) < PAGES_MIN) break;
      this.run();
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

/** How many pages of the log are not in the file yet, by the row of a checkpoint pragma. */
function pagesToTake(row: Partial<Record<keyof LogState, unknown>> | undefined): number {
  return Math.max(Number(row?.log) - Number(row?.checkpointed), 0);
}

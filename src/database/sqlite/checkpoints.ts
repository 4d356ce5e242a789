import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Log } from "../../log.ts";
import type { DatabaseObserver } from "../database.ts";
import { CheckpointThread, type LogState } from "./threads/checkpoint-thread.ts";

/**
 * The write-ahead log is checkpointed after at most this many pages, 16 MiB: pages that many commits change are
 * written back once.
 */
const PAGES_MAX = 4_000;
/** The same for a small database, 1 MiB. */
const PAGES_MIN = 256;
const PAGE_SIZE = 4096;
/** Fewer pages are checkpointed in this thread: another thread would cost more memory than they cost time. */
const FEW_PAGES = 1_000;
/** How many more times the thread checkpoints the pages that were written during its last checkpoint. */
const ROUNDS_MAX = 5;

export interface CheckpointOptions {
  readonly observer?: DatabaseObserver | undefined;
  readonly log?: Log | undefined;
  /** Whether requests wait for this thread, so that large checkpoints run in another. */
  readonly servesRequests?: boolean | undefined;
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
  readonly #thread: CheckpointThread | undefined;
  #threshold: number;
  #failing = false;
  #threadRun: Promise<void> | undefined;

  /** @param connection the writing connection, whose automatic checkpoints are turned off */
  constructor(connection: DatabaseSync, location: string, options: CheckpointOptions = {}) {
    const { observer, log, servesRequests = false } = options;
    connection.exec("pragma wal_autocheckpoint = 0");
    this.#location = location;
    this.#state = connection.prepare("pragma wal_checkpoint(noop)");
    this.#run = connection.prepare("pragma wal_checkpoint(passive)");
    this.#observer = observer;
    this.#log = log;
    this.#threshold = this.#usualThreshold();
    this.#thread = servesRequests ? new CheckpointThread(location) : undefined;
  }

  /** To be called after each commit; cheap when the log is short. Never throws. */
  runIfDue(): void {
    try {
      if (this.#threadRun !== undefined) return;
      const pages = pendingPages(this.#state.get());
      if (pages < this.#threshold) return;
      // In this thread after a failure, which may be that of the other thread.
      if (this.#thread === undefined || this.#failing || pages < FEW_PAGES) this.run();
      else this.#threadRun = this.#runInThread(this.#thread).finally(() => (this.#threadRun = undefined));
    } catch (error) {
      this.#fail(error);
    }
  }

  run(): void {
    try {
      this.#succeed(pendingPages(this.#run.get()));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param left the pages that readers still need in the file: they stay in the log until the next checkpoint */
  #succeed(left: number): void {
    this.#threshold = left + this.#usualThreshold();
    if (this.#failing) this.#log?.info("Checkpoints of the write-ahead log work again.");
    this.#failing = false;
  }

  /** Waits for the thread, and ends it. */
  async close(): Promise<void> {
    await this.#threadRun;
    await this.#thread?.close();
  }

  /**
   * The thread writes the pages and waits for the disk, so that reads are not delayed. For the last few, it keeps
   * writers out, so that the log can start over. If the writers leave it no time, this thread writes these few.
   */
  async #runInThread(thread: CheckpointThread): Promise<void> {
    try {
      for (let round = 0; round < ROUNDS_MAX; round++)
        if (
          pendingPages(await thread.run("passive")) < PAGES_MIN &&
          pendingPages(this.#state.get()) < PAGES_MIN
        )
          break;
      const state = await thread.run("full");
      if (state.busy === 0 && pendingPages(state) === 0) this.#succeed(0);
      else this.run();
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
function pendingPages(row: Partial<Record<keyof LogState, unknown>> | undefined): number {
  return Math.max(Number(row?.log) - Number(row?.checkpointed), 0);
}

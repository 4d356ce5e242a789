import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Sql } from "../../database/database.ts";
import { runInBackground } from "../../database/load/admission.ts";
import { Refusal } from "../../errors.ts";
import { finishReading, refuseUpload } from "./uploads.ts";

/** How long an upload waits for the reading of its file, in milliseconds; then its page shows the progress. */
const WAIT = 1_000;
/** A file of at most this many bytes is read within its request: that only takes long on a busy machine. */
const SMALL = 256 * 1024;

/**
 * Reads a file and stores its rows for the preview.
 * @param report is called with the progress; the total is unknown for some formats
 * @param signal aborts when the reading is canceled
 * @returns the number of rows
 * @throws Refusal `invalid` for a file that cannot be read
 */
export type ReadFile = (
  report: (done: number, total?: number) => void,
  signal: AbortSignal,
) => Promise<number>;

/** A file that this process reads. */
export interface FirstReading {
  readonly done: number;
  readonly total: number | undefined;
  /** An error that is not of the file; another reading may succeed. */
  readonly error: unknown;
}

interface Running extends FirstReading {
  readonly abort: AbortController;
  readonly result: Promise<number>;
}

/**
 * The first readings of uploaded files by this process. One continues after the response to its upload; others are read within
 * their requests. The database only has whether a file was read: after a restart, and in another process, it is read anew.
 */
export class FirstReadings {
  readonly #database: Pick<Database, "write">;
  readonly #wait: number;
  #key: string | undefined;
  #running: Running | undefined;

  /** @param wait shorter in tests */
  constructor(database: Pick<Database, "write">, wait = WAIT) {
    this.#database = database;
    this.#wait = wait;
  }

  /**
   * Reads a file that was just uploaded.
   * @param store stores the file
   * @param total the number of its rows; null while it is still being read
   */
  async readUpload(
    { key, size }: { readonly key: string; readonly size: number },
    read: ReadFile,
    store: (total: number | null) => Promise<unknown>,
  ): Promise<void> {
    const reading = begin(read);
    if (size <= SMALL) {
      await store(await reading.result);
      return;
    }
    const ended = reading.result.then(() => true);
    // Awaited later as well.
    ended.catch(() => {});
    const isLong = !(await Promise.race([ended, sleep(this.#wait, false, { ref: false })]));
    if (!isLong || this.#isBusy()) {
      await store(await reading.result);
      return;
    }
    this.#key = key;
    this.#running = reading;
    try {
      await store(null);
    } catch (error) {
      this.cancel(key);
      throw error;
    }
    this.#finish(key, reading);
  }

  /**
   * The reading of a stored file, which begins unless another file is being read.
   * @throws an error of the last reading that was not of the file
   */
  continue(key: string, read: ReadFile): FirstReading | undefined {
    if (this.#key === key && this.#running !== undefined) {
      const { error } = this.#running;
      if (error === undefined) return this.#running;
      this.cancel(key);
      throw error;
    }
    if (this.#isBusy()) return undefined;
    const reading = begin(read);
    this.#key = key;
    this.#running = reading;
    this.#finish(key, reading);
    return reading;
  }

  /** Ends the reading of a file. */
  cancel(key: string): void {
    if (this.#key !== key) return;
    this.#running?.abort.abort();
    this.#key = undefined;
    this.#running = undefined;
  }

  #isBusy(): boolean {
    return this.#running !== undefined && this.#running.error === undefined;
  }

  /** Records the end of a reading, also of one that outlives its request. */
  #finish(key: string, reading: Running & { error: unknown }): void {
    const record = (work: (sql: Sql) => Promise<void>) => runInBackground(() => this.#database.write(work));
    const ended = reading.result.then(
      (total) => record((sql) => finishReading(sql, key, total)),
      (error) => {
        const detail = error instanceof Refusal ? error.errors?.[0]?.detail : undefined;
        if (detail === undefined) throw error;
        return record((sql) => refuseUpload(sql, key, detail));
      },
    );
    ended.then(
      () => this.#running === reading && this.cancel(key),
      (error) => {
        reading.error = error;
      },
    );
  }
}

function begin(read: ReadFile): Running & { error: unknown } {
  const abort = new AbortController();
  const progress = { done: 0, total: undefined as number | undefined, error: undefined as unknown };
  const report = (done: number, total?: number) => Object.assign(progress, { done, total });
  const result = read(report, abort.signal);
  return Object.assign(progress, { abort, result });
}

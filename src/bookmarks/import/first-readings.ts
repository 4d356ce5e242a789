import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { type Claim, claim, endClaim, extendClaim, findClaim } from "../../jobs/claims.ts";
import { deleteUnread, finishReading, READING, refuseUpload } from "./uploads.ts";

/** In milliseconds. */
const TIMES = {
  /** How long an upload waits for the reading of its file; then its page shows the progress. */
  wait: 1_000,
  /** The interval of recording the progress for the other processes. */
  record: 1_000,
  /** After this time without a record, another process reads the file. */
  lease: 10_000,
};
/** A file of at most this many bytes is read within its request: that only takes long on a busy machine. */
const SMALL = 256 * 1024;

/** How far a reading is. */
export interface ReadingProgress {
  /** Of the rows, or of the bytes. */
  readonly done: number;
  /** 0 before it is known. */
  readonly total: number;
  /** The number of items read so far, of a file that is measured in bytes. */
  readonly items: number;
}

const NOTHING: ReadingProgress = { done: 0, total: 0, items: 0 };

/**
 * Reads a file and stores its rows for the preview.
 * @param report is called with the progress
 * @param signal aborts when the reading is canceled, or another process has taken it over
 * @returns the number of rows
 * @throws Refusal `invalid` for a file that cannot be read
 */
export type ReadFile = (
  report: (progress: Partial<ReadingProgress>) => void,
  signal: AbortSignal,
) => Promise<number>;

interface Running {
  readonly progress: ReadingProgress;
  readonly abort: AbortController;
  readonly result: Promise<number>;
}

/** A reading that other requests show. */
interface Shared extends Running {
  readonly claim: Claim;
  /** An error that is not of the file; another reading may succeed. */
  error: unknown;
}

/**
 * The first readings of uploaded files. One of this process continues after the response to its upload; others are read
 * within their requests. The process that reads a file has a claim on it, and the others show its progress. After its
 * end, the one that shows the page next reads the file anew.
 */
export class FirstReadings {
  readonly #database: Pick<Database, "read" | "write" | "clock">;
  readonly #times: typeof TIMES;
  #shared: Shared | undefined;

  /** @param times shorter in tests */
  constructor(database: Pick<Database, "read" | "write" | "clock">, times: Partial<typeof TIMES> = {}) {
    this.#database = database;
    this.#times = { ...TIMES, ...times };
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
    const isLong = !(await Promise.race([ended, sleep(this.#times.wait, false, { ref: false })]));
    const claimed = isLong && !this.#isBusy() ? await this.#claim(key) : undefined;
    if (claimed === undefined || this.#isBusy()) {
      if (claimed !== undefined) await this.#database.write((sql) => endClaim(sql, claimed));
      await store(await reading.result);
      return;
    }
    const shared = this.#share(claimed, reading);
    try {
      await store(null);
    } catch (error) {
      await this.cancel(key);
      throw error;
    }
    this.#finish(shared);
  }

  /**
   * The progress of the reading of a stored file, by this process or another one. It begins unless a process reads the file,
   * or this one reads another file: then it is undefined.
   * @throws an error of the last reading that was not of the file
   */
  async continue(key: string, read: ReadFile): Promise<ReadingProgress | undefined> {
    const own = this.#shared;
    if (own?.claim.key === key) {
      if (own.error === undefined) return own.progress;
      this.#shared = undefined;
      throw own.error;
    }
    const others = await findClaim(this.#database.read, { kind: READING, key }, this.#database.clock.now());
    if (others !== undefined) return { ...NOTHING, ...others };
    if (this.#isBusy()) return undefined;
    const claimed = await this.#claim(key);
    if (claimed === undefined) return undefined;
    if (this.#isBusy()) {
      await this.#database.write((sql) => endClaim(sql, claimed));
      return undefined;
    }
    const shared = this.#share(claimed, begin(read));
    this.#finish(shared);
    return shared.progress;
  }

  /** Ends the reading of a file by any process, and deletes the file unless it has been read. */
  async cancel(key: string): Promise<void> {
    if (this.#shared?.claim.key === key) this.#end(this.#shared);
    await this.#database.write(async (sql) => {
      await endClaim(sql, { kind: READING, key });
      await deleteUnread(sql, key);
    });
  }

  #isBusy(): boolean {
    return this.#shared !== undefined && this.#shared.error === undefined;
  }

  #claim(key: string): Promise<Claim | undefined> {
    return this.#database.write((sql) =>
      claim(sql, { kind: READING, key }, this.#database.clock.now(), this.#leasedUntil()),
    );
  }

  #leasedUntil(): Date {
    return new Date(this.#database.clock.now().getTime() + this.#times.lease);
  }

  /** Lets other requests and processes see a reading. */
  #share(claimed: Claim, reading: Running): Shared {
    const shared = Object.assign(reading, { claim: claimed, error: undefined as unknown });
    this.#shared = shared;
    return shared;
  }

  #end(shared: Shared): void {
    shared.abort.abort();
    if (this.#shared === shared) this.#shared = undefined;
  }

  /** Records the progress and the end of a reading. */
  #finish(shared: Shared): void {
    const { claim: claimed, progress, result } = shared;
    const { key } = claimed;
    const timer = setInterval(async () => {
      const until = this.#leasedUntil();
      // A short outage of the database does not end the claim.
      const isOurs = await this.#database
        .write((sql) => extendClaim(sql, claimed, until, { ...progress }))
        .catch(() => true);
      if (!isOurs) this.#end(shared);
    }, this.#times.record);
    timer.unref();
    const end = (work: (sql: Sql) => Promise<unknown>) =>
      this.#database.write(async (sql) => {
        // The process that has taken the file over records the end.
        if (await endClaim(sql, claimed)) await work(sql);
      });
    const ended = result.then(
      (total) => end((sql) => finishReading(sql, key, total)),
      async (error) => {
        const detail = error instanceof Refusal ? error.errors?.[0]?.detail : undefined;
        await end((sql) => (detail === undefined ? Promise.resolve() : refuseUpload(sql, key, detail)));
        if (detail === undefined) throw error;
      },
    );
    ended
      .then(
        () => this.#end(shared),
        (error) => {
          shared.error = error;
        },
      )
      .finally(() => clearInterval(timer));
  }
}

function begin(read: ReadFile): Running {
  const abort = new AbortController();
  const progress = { ...NOTHING };
  const report = (reported: Partial<ReadingProgress>) => Object.assign(progress, reported);
  return { progress, abort, result: read(report, abort.signal) };
}

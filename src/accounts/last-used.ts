import type { Sql } from "../database/database.ts";

/** A small write that the request does not wait for. */
export type Work = (sql: Sql) => Promise<unknown>;

/** The size of the memory of last uses; when it is full, it is cleared, at the cost of a few writes. */
const REMEMBERED = 10_000;

/** Throttles the recording of last uses, also for concurrent requests. */
export class LastUsed {
  readonly #write: (work: Work) => void;
  readonly #last = new Map<string, number>();

  constructor(write: (work: Work) => void) {
    this.#write = write;
  }

  /**
   * @param stored the last use in the database
   * @param every the minimum time between two records of a use, in milliseconds
   */
  recordThrottled(subject: string, stored: Date | null, now: number, every: number, work: Work): void {
    const last = Math.max(stored?.getTime() ?? 0, this.#last.get(subject) ?? 0);
    if (now - last < every) return;
    if (this.#last.size >= REMEMBERED) this.#last.clear();
    this.#last.set(subject, now);
    this.#write(work);
  }
}

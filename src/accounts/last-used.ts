import type { Sql } from "../database/database.ts";

/** A small write that nobody waits for. */
export type Work = (sql: Sql) => Promise<unknown>;

/** How many last uses are remembered; when there are more, all are forgotten, which costs a few writes. */
const REMEMBERED = 10_000;

/** Sees to it that a last use is written down seldom, however many requests come at once. */
export class LastUsed {
  readonly #write: (work: Work) => void;
  readonly #last = new Map<string, number>();

  constructor(write: (work: Work) => void) {
    this.#write = write;
  }

  /**
   * @param stored when the use was last written down, as the database has it
   * @param every milliseconds between two writes of the same use, at least
   */
  recordThrottled(subject: string, stored: Date | null, now: number, every: number, work: Work): void {
    const last = Math.max(stored?.getTime() ?? 0, this.#last.get(subject) ?? 0);
    if (now - last < every) return;
    if (this.#last.size >= REMEMBERED) this.#last.clear();
    this.#last.set(subject, now);
    this.#write(work);
  }
}

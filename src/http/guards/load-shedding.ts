import { Refusal } from "../../errors.ts";
import { timeLimit } from "../../time-limit.ts";

/** At most this many reads, and as many writes, are in progress in a process. */
export const IN_PROGRESS_MAX = 256;

/** A request that has waited longer than this before it is accepted is refused, in milliseconds. */
const MAX_READ_DELAY_MS = 80;

/** This many requests of a turn of the event loop are accepted in any case: one slow turn is not an overload. */
export const ALWAYS_READ = 64;

export type RequestKind = "read" | "write";

/**
 * Refuses some requests at once under overload, so that the others are answered in time: those beyond a number in
 * progress, and those that have waited too long to be read. Reads and writes are counted apart, so that a database
 * that takes no writes for a while still answers reads.
 */
export class LoadShedder {
  readonly #inProgress = { read: 0, write: 0 };
  readonly #refusal = new Refusal("unavailable", "The server is busy: try again in a moment.", {
    retryAfter: 1,
  });
  #turnBegan = 0;
  /** Requests read in this turn so far. */
  #requests = 0;
  #refused = 0;

  /** Requests refused so far. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * A request begins; `leave` ends it.
   * @throws Refusal `unavailable` when too many are in progress
   */
  enter(kind: RequestKind): void {
    if (this.#inProgress[kind] >= IN_PROGRESS_MAX) throw this.#refuse();
    this.#inProgress[kind]++;
  }

  leave(kind: RequestKind): void {
    this.#inProgress[kind]--;
  }

  /**
   * Counts a request that was read. How long it waited in its connection is unknown, but the last request that is
   * read in a turn of the event loop has waited for the whole turn.
   *
   * @param now by the monotonic clock, in milliseconds
   * @throws Refusal `unavailable` when it has waited too long
   */
  checkDelay(now: number): void {
    if (this.#requests++ === 0) this.#beginTurn(now);
    if (now - this.#turnBegan > timeLimit(MAX_READ_DELAY_MS) && this.#isLate(now)) throw this.#refuse();
  }

  #refuse(): Refusal {
    this.#refused++;
    return this.#refusal;
  }

  #isLate(now: number): boolean {
    // Clients that repeat their requests at once keep a turn from ending: after a while, count it as a new turn.
    if (now - this.#turnBegan < 2 * timeLimit(MAX_READ_DELAY_MS)) return this.#requests > ALWAYS_READ;
    this.#turnBegan = now;
    return false;
  }

  #beginTurn(now: number): void {
    this.#turnBegan = now;
    setImmediate(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    this.#requests = 0;
  };
}

import { Admission, type Queue, runAdmitted } from "../../database/load/admission.ts";
import { MIN_ADMITTED } from "../../database/load/queue-estimate.ts";
import type { QueueEstimates } from "../../database/load/queue-estimates.ts";
import { Refusal } from "../../errors.ts";

/** A request that waited longer than this to be read is refused, in milliseconds. */
const MAX_READ_DELAY_MS = 80;

/** A request that would wait longer than this for the database is refused, in milliseconds. */
const MAX_QUEUE_WAIT_MS = 120;

/**
 * Refuses some requests immediately under overload, so that the others are answered in time. Two signals: how long
 * the current turn of the event loop has been reading requests (the last one read has waited for all before it), and
 * the estimated wait at the database.
 */
export class LoadShedder {
  readonly #queues: QueueEstimates;
  readonly #minAdmitted: number;
  readonly #refusal = new Refusal("unavailable", "The server is busy: try again in a moment.", {
    retryAfter: 1,
  });
  #turnBegan = 0;
  /** Requests read in this turn so far. */
  #requests = 0;
  #refused = 0;

  /** @param minAdmitted this many requests per turn are always admitted, since one slow turn is not an overload */
  constructor(queues: QueueEstimates, minAdmitted = MIN_ADMITTED) {
    this.#queues = queues;
    this.#minAdmitted = minAdmitted;
  }

  /** Requests refused so far. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Runs a request, unless it is refused: when it arrives, or later when it joins a queue of the database.
   *
   * @param writes whether it may change something
   * @param now by the monotonic clock, in milliseconds
   * @throws Refusal `unavailable` under overload
   */
  admit<T>(writes: boolean, now: number, request: () => T): T {
    this.check(writes, now);
    return runAdmitted(new Admission(this.#checkWait), request);
  }

  /**
   * Counts a request that arrives.
   *
   * @param writes whether it may change something
   * @param now by the monotonic clock, in milliseconds
   * @throws Refusal `unavailable` under overload
   */
  check(writes: boolean, now = performance.now()): void {
    if (this.#requests++ === 0) this.#beginTurn(now);
    if (now - this.#turnBegan > MAX_READ_DELAY_MS && this.#isLate(now)) throw this.#refuse();
    this.#checkWait(writes ? this.#queues.writes : this.#queues.reads);
  }

  readonly #checkWait = (queue: Queue): void => {
    if (queue.wait > MAX_QUEUE_WAIT_MS) throw this.#refuse();
  };

  #refuse(): Refusal {
    this.#refused++;
    return this.#refusal;
  }

  #isLate(now: number): boolean {
    // Clients that repeat their requests at once keep a turn from ending: after a while, count it as a new turn.
    if (now - this.#turnBegan < 2 * MAX_READ_DELAY_MS) return this.#requests > this.#minAdmitted;
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

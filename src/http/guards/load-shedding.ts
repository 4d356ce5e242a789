import { MIN_ADMITTED } from "../../database/queue-estimate.ts";
import type { QueueEstimates } from "../../database/queue-estimates.ts";
import { Refusal } from "../../errors.ts";

/** How long a request may have waited to be read before it is refused instead, in milliseconds. */
const MAX_READ_DELAY_MS = 80;

/** How long a request may have to wait for others at the database before it is refused instead, in milliseconds. */
const MAX_QUEUE_WAIT_MS = 120;

/**
 * Tells when more comes than can be done in time, so that some requests are refused at once instead of all being
 * late. Whoever is read last in a turn of the event loop has waited for all that are read before, so it looks at how
 * long the turn has been at that; and at how long the queues at the database are.
 */
export class LoadShedder {
  readonly #queues: QueueEstimates;
  readonly #minAdmitted: number;
  readonly #refusal = new Refusal("unavailable", "The server is busy: try again in a moment.", {
    retryAfter: 1,
  });
  #turnBegan = 0;
  /** Requests of this turn so far. */
  #requests = 0;
  #refused = 0;

  /** @param minAdmitted so many requests of a turn are served, however late it is: one that was held up is not overloaded */
  constructor(queues: QueueEstimates, minAdmitted = MIN_ADMITTED) {
    this.#queues = queues;
    this.#minAdmitted = minAdmitted;
  }

  /** How many requests were refused so far. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Counts a request.
   *
   * @param writes whether it may change something
   * @param now by the monotonic clock, in milliseconds
   * @throws Refusal `unavailable` when it comes at a bad time
   */
  check(writes: boolean, now = performance.now()): void {
    if (this.#requests++ === 0) this.#beginTurn(now);
    if (now - this.#turnBegan > MAX_READ_DELAY_MS && this.#isLate(now)) throw this.#refuse();
    if ((writes ? this.#queues.writes : this.#queues.reads).wait > MAX_QUEUE_WAIT_MS) throw this.#refuse();
  }

  #refuse(): Refusal {
    this.#refused++;
    return this.#refusal;
  }

  #isLate(now: number): boolean {
    // Clients that ask again at once keep a turn from ending; what is read of them now came while it went on.
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

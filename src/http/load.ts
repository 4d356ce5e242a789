import { type Backlogs, FEW } from "../database/backlog.ts";
import { Refusal } from "../errors.ts";

/** How long a request may have waited to be read before it is refused instead, in milliseconds. */
const READ_WITHIN = 80;

/** How long a request may have to wait for others at the database before it is refused instead, in milliseconds. */
const SERVED_WITHIN = 120;

/** How often the event loop is to come round, in milliseconds. */
const ROUND = 20;

/** After so many rounds without a request nobody counts any more: a server at rest is not woken up for it. */
const RESTS_AFTER = 50;

/**
 * Tells when more comes than can be done in time, so that some requests are refused at once instead of all being
 * late. Whoever is read last has waited for all that came in together, so it looks at how long the event loop has
 * been at that; and at how long the queues at the database are.
 */
export class Load {
  readonly #backlogs: Backlogs;
  readonly #few: number;
  readonly #refusal = new Refusal("unavailable", "The server is busy: try again in a moment.", {
    retryAfter: 1,
  });
  #roundBegan = Number.NEGATIVE_INFINITY;
  #requests = 0;
  #refused = 0;
  #quietRounds = 0;
  #clock: NodeJS.Timeout | undefined;

  /** @param few so many requests of a round are served, however late it is: one that was held up is not overloaded */
  constructor(backlogs: Backlogs, few = FEW) {
    this.#backlogs = backlogs;
    this.#few = few;
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
    this.#requests++;
    if (now - this.#roundBegan > READ_WITHIN && this.#isLate(now)) throw this.#refuse();
    if ((writes ? this.#backlogs.writes : this.#backlogs.reads).wait > SERVED_WITHIN) throw this.#refuse();
  }

  #refuse(): Refusal {
    this.#refused++;
    return this.#refusal;
  }

  #isLate(now: number): boolean {
    if (this.#clock === undefined) this.#clock = setInterval(() => this.#beginRound(), ROUND).unref();
    // Clients that ask again at once keep a round from ending; what is read of them now came while it went on.
    else if (now - this.#roundBegan < 2 * READ_WITHIN) return this.#requests > this.#few;
    this.#roundBegan = now;
    return false;
  }

  #beginRound(): void {
    this.#roundBegan = performance.now();
    this.#quietRounds = this.#requests === 0 ? this.#quietRounds + 1 : 0;
    this.#requests = 0;
    if (this.#quietRounds < RESTS_AFTER) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
    this.#roundBegan = Number.NEGATIVE_INFINITY;
  }
}

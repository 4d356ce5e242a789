import type { Awaitable } from "../../awaitable.ts";
import { currentAdmission, type Queue } from "./admission.ts";

/** By default, this many simultaneous requests are always admitted. */
export const MIN_ADMITTED = 64;

/** Weight of the latest service time in the moving mean. */
const SMOOTHING = 1 / 32;

/** Completions before the estimate is used: the first ones also pay for caches and prepared statements. */
const WARM_UP = 64;

/** A service time counts for at most this many times the mean, so that one slow request does not distort it. */
const OUTLIER = 4;

/** Estimates how long a new request will wait in a queue, from its length and a moving mean of service times. */
export class QueueEstimate implements Queue {
  readonly isOfWrites: boolean;
  readonly #minAdmitted: number;
  #length = 0;
  #completed = 0;
  #meanServiceTime = 0;

  /** @param minAdmitted below this length the estimated wait is always 0 */
  constructor(of: "reads" | "writes", minAdmitted = MIN_ADMITTED) {
    this.isOfWrites = of === "writes";
    this.#minAdmitted = minAdmitted;
  }

  /** The estimated wait of a new request, in milliseconds; 0 during warm-up. */
  get wait(): number {
    return this.#length < this.#minAdmitted || this.#completed < WARM_UP
      ? 0
      : this.#length * this.#meanServiceTime;
  }

  /**
   * Starts work and counts it in the queue until it is done.
   *
   * @param onDone gets the queue length at the start, `work` included
   * @throws Refusal `unavailable` before the start, if a request would wait too long
   */
  async join<T>(work: () => Awaitable<T>, onDone?: (length: number) => void): Promise<T> {
    currentAdmission()?.join(this);
    const length = ++this.#length;
    try {
      return await work();
    } finally {
      this.#length--;
      onDone?.(length);
    }
  }

  /**
   * Joins a queue whose service time is the time spent in it divided by its length on arrival.
   *
   * @param concurrency how many requests are served at the same time; a shorter queue counts as this long
   */
  joinQueue<T>(work: () => Awaitable<T>, concurrency: number): Promise<T> {
    const joined = performance.now();
    return this.join(work, (length) =>
      this.note((performance.now() - joined) / Math.max(length, concurrency)),
    );
  }

  /** Adds a service time to the mean, in milliseconds per request in the queue. */
  note(serviceTime: number): void {
    this.#completed++;
    const counted =
      this.#completed <= WARM_UP ? serviceTime : Math.min(serviceTime, OUTLIER * this.#meanServiceTime);
    this.#meanServiceTime += (counted - this.#meanServiceTime) * Math.max(1 / this.#completed, SMOOTHING);
  }
}

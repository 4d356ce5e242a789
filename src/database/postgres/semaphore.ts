/** Number of slots of a counter. */
const SLOTS = 64;

/**
 * Limits the concurrent users of some connections; one that finds none free waits. The permits are numbers: a writer's is
 * its slot of the counters, which it so has to itself within this process.
 */
export class Semaphore {
  readonly #free: number[];
  readonly #waiting: ((permit: number) => void)[] = [];
  readonly #count: number;

  /** @param users the maximum number of concurrent users */
  constructor(users: number) {
    // A random start, so that the writers of several processes do not all use the first slots.
    const first = Math.floor(Math.random() * SLOTS);
    this.#count = Math.min(users, SLOTS);
    this.#free = Array.from({ length: this.#count }, (_, index) => (first + index) % SLOTS);
  }

  get state(): { readonly writersMax: number; readonly writers: number; readonly writersWaiting: number } {
    const { length: free } = this.#free;
    return {
      writersMax: this.#count,
      writers: this.#count - free,
      writersWaiting: this.#waiting.length,
    };
  }

  async take(): Promise<number> {
    const permit = this.#free.pop();
    if (permit !== undefined) return permit;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#waiting.push(resolve);
    return promise;
  }

  give(permit: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(permit);
    else next(permit);
  }
}

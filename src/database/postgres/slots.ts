/** Number of slots of a counter. */
const SLOTS = 64;

/**
 * Limits the concurrent users of some connections; one that finds none free waits. A writer also has a slot of the
 * counters to itself within this process.
 */
export class ConnectionSlots {
  readonly #free: number[];
  readonly #waiting: ((slot: number) => void)[] = [];
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
    const slot = this.#free.pop();
    if (slot !== undefined) return slot;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#waiting.push(resolve);
    return promise;
  }

  give(slot: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next(slot);
  }
}

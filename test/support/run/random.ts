/** Where the random inputs of a run begin. `test/run.ts` says it, and `TEST_SEED` repeats it. */
export const testSeed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

/** Pseudo-random numbers, the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws when the list is empty */
  pick<T>(list: readonly T[]): T {
    const [picked] = list.slice(this.below(list.length));
    if (picked === undefined) throw new RangeError("Nothing to pick from");
    return picked;
  }
}

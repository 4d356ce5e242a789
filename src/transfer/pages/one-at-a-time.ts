import { setTimeout as sleep } from "node:timers/promises";
import type { Refusal } from "../../errors.ts";

/** Does one piece of work at a time. */
export class OneAtATime {
  readonly #wait: number;
  readonly #busy: () => Refusal;
  #current: Promise<unknown> | undefined;

  /**
   * @param wait how long further work waits for its turn, in milliseconds
   * @param busy makes the refusal of work that has waited this long
   */
  constructor(wait: number, busy: () => Refusal) {
    this.#wait = wait;
    this.#busy = busy;
  }

  async do<T>(work: () => Promise<T>): Promise<T> {
    const latest = performance.now() + this.#wait;
    while (this.#current !== undefined) {
      const left = latest - performance.now();
      if (left <= 0) throw this.#busy();
      await Promise.race([this.#current, sleep(left, undefined, { ref: false })]);
    }
    const result = work();
    this.#current = result
      .catch(() => {})
      .finally(() => {
        this.#current = undefined;
      });
    return result;
  }
}

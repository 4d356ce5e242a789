import { Refusal } from "../errors.ts";

/** Looks at large files at once in a process: each has an unpacked copy of up to 512 MiB in a temporary file. */
const PLACES = 2;
/** Looks that wait for a place. */
const WAITING_MAX = 10;

/** The looks at large files of one process: a few at a time, the others wait. */
export class LargeLooks {
  #free = PLACES;
  readonly #waiting: (() => void)[] = [];

  /**
   * Waits for a place.
   * @param signal aborts when nobody waits for the look any more
   * @returns gives the place to the next look
   * @throws Refusal `unavailable` when many wait, and when it is aborted
   */
  async take(signal: AbortSignal | undefined): Promise<() => void> {
    if (this.#waiting.length === WAITING_MAX)
      throw new Refusal("unavailable", "Many large files are being looked at. Try again in a minute.", {
        retryAfter: 60,
      });
    if (this.#free > 0) this.#free--;
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
    const give = () => this.#give();
    if (!signal?.aborted) return give;
    give();
    throw clientGone();
  }

  #give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}

/** The refusal of work for a client that has closed its connection. */
export function clientGone(): Refusal {
  return new Refusal("unavailable", "The client closed the connection.");
}

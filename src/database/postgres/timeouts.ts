/** The server did not answer in time: it or the network has failed silently. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

interface Waiting {
  readonly until: number;
  readonly expire: () => void;
}

/**
 * Client-side timeouts for a server that does not answer at all. A healthy server cancels slow statements itself;
 * without a response the driver would wait until TCP gives up, 15 minutes later. One timer serves all statements,
 * since all have the same timeout.
 */
export class Timeouts {
  readonly #milliseconds: number;
  /** In order of expiry. */
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Number of statements waiting for a response. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a response.
   * @throws TimeoutError when there is none in time; a later result is ignored.
   */
  withTimeout<T>(answer: PromiseLike<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiting: Waiting = {
      until: performance.now() + this.#milliseconds,
      expire: () => reject(new TimeoutError("The database server does not respond.")),
    };
    this.#waiting.add(waiting);
    this.#timer ??= this.#wakeIn(this.#milliseconds);
    answer.then(
      (value) => {
        this.#waiting.delete(waiting);
        resolve(value);
      },
      (error) => {
        this.#waiting.delete(waiting);
        reject(error);
      },
    );
    return promise;
  }

  /** The connections keep the process alive while statements wait, so the timer does not have to. */
  #wakeIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), milliseconds).unref();
  }

  #expire(): void {
    const now = performance.now();
    this.#timer = undefined;
    for (const waiting of this.#waiting) {
      if (waiting.until > now) {
        this.#timer = this.#wakeIn(waiting.until - now);
        return;
      }
      this.#waiting.delete(waiting);
      waiting.expire();
    }
  }
}

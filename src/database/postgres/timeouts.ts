/** The server did not answer in time: it or the network has failed silently. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/**
 * Client-side timeouts for a server that does not answer at all. A healthy server cancels slow statements itself;
 * without a response the driver would wait until TCP gives up, 15 minutes later.
 */
export class Timeouts {
  readonly #milliseconds: number;
  #waiting = 0;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Number of statements waiting for a response. */
  get size(): number {
    return this.#waiting;
  }

  /**
   * Waits for a response.
   * @throws TimeoutError when there is none in time; a later result is ignored.
   */
  async withTimeout<T>(answer: PromiseLike<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const expire = () => reject(new TimeoutError("The database server does not respond."));
    // The connections keep the process alive while statements wait, so the timer does not have to.
    const timer = setTimeout(expire, this.#milliseconds).unref();
    // At once: the driver sends a statement when it is first awaited, and statements keep their order.
    const answered = answer.then((value) => value);
    this.#waiting++;
    try {
      return await Promise.race([answered, late]);
    } finally {
      clearTimeout(timer);
      this.#waiting--;
    }
  }
}

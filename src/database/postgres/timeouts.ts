/** The server has not answered in time: it, or the way to it, is gone, and nobody has said so. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

interface Waiting {
  readonly until: number;
  readonly giveUp: () => void;
}

/**
 * Gives up waiting for a server that says nothing at all. A server that is well ends a statement that takes
 * too long itself; when even that does not come, the driver would wait until TCP gives up, a quarter of an
 * hour later. One timer serves all, since every wait is equally long.
 */
export class Timeouts {
  readonly #patience: number;
  /** In the order in which they are due. */
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  /** @param patience milliseconds */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** How many answers are waited for. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for an answer.
   * @throws TimeoutError when it does not come in time; what comes of it later is nobody's concern.
   */
  withTimeout<T>(answer: PromiseLike<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiting: Waiting = {
      until: performance.now() + this.#patience,
      giveUp: () => reject(new TimeoutError("The database server does not answer.")),
    };
    this.#waiting.add(waiting);
    this.#timer ??= this.#wakeIn(this.#patience);
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

  /** The connections keep the process alive for as long as there is something to wait for; the timer must not. */
  #wakeIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#giveUpOverdue(), milliseconds).unref();
  }

  #giveUpOverdue(): void {
    const now = performance.now();
    this.#timer = undefined;
    for (const waiting of this.#waiting) {
      if (waiting.until > now) {
        this.#timer = this.#wakeIn(waiting.until - now);
        return;
      }
      this.#waiting.delete(waiting);
      waiting.giveUp();
    }
  }
}

/** Who has waited so long for a question that then failed is told so, and does not wait for another, in milliseconds. */
const MAX_SHARED_WAIT_MS = 250;

/**
 * A question whose answer is as good for many as for one, as long as it was put after they came: whoever comes
 * while it is under way shares the next one.
 */
export class SingleFlight<T> {
  readonly #ask: () => Promise<T>;
  #asking: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  /** The answer to a question that is put after this call. @throws what asking throws */
  answer(): Promise<T> {
    if (this.#asking === undefined) return this.#put();
    if (this.#next === undefined) {
      const joined = performance.now();
      this.#next = this.#asking.then(this.#put, (error) => {
        if (performance.now() - joined < MAX_SHARED_WAIT_MS) return this.#put();
        this.#next = undefined;
        throw error;
      });
    }
    return this.#next;
  }

  readonly #put = (): Promise<T> => {
    this.#next = undefined;
    const asking = this.#ask();
    this.#asking = asking;
    const done = () => {
      if (this.#asking === asking) this.#asking = undefined;
    };
    asking.then(done, done);
    return asking;
  };
}

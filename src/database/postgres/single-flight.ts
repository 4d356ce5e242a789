/** A caller that has waited this long for a call that fails gets its error instead of waiting for another, in ms. */
const MAX_SHARED_WAIT_MS = 250;

/**
 * Shares one call among many callers. A caller never gets the result of a call that began before its own: callers
 * that arrive while a call is in flight share the next one.
 */
export class SingleFlight<T> {
  readonly #call: () => Promise<T>;
  readonly #now: () => number;
  #inFlight: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  /** @param now by the monotonic clock, in milliseconds */
  constructor(call: () => Promise<T>, now = () => performance.now()) {
    this.#call = call;
    this.#now = now;
  }

  /** The result of a call that begins after this method was called. @throws what the call throws */
  result(): Promise<T> {
    if (this.#inFlight === undefined) return this.#start();
    if (this.#next === undefined) {
      const joined = this.#now();
      this.#next = this.#inFlight.then(this.#start, (error) => {
        if (this.#now() - joined < MAX_SHARED_WAIT_MS) return this.#start();
        this.#next = undefined;
        throw error;
      });
    }
    return this.#next;
  }

  readonly #start = (): Promise<T> => {
    this.#next = undefined;
    const inFlight = this.#call();
    this.#inFlight = inFlight;
    const done = () => {
      if (this.#inFlight === inFlight) this.#inFlight = undefined;
    };
    inFlight.then(done, done);
    return inFlight;
  };
}

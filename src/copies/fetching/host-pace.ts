/** Milliseconds from one page of a host to the next. */
const BETWEEN = 2_000;

/** How many hosts are remembered at most; the one that was asked longest ago is forgotten. */
const HOSTS_MAX = 1_000;

/** What a pace is made of; tests replace it. */
export interface PaceTime {
  /** In milliseconds, of a clock that never goes back. */
  now(): number;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const REAL_TIME: PaceTime = {
  now: () => performance.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal.addEventListener("abort", stop, { once: true });
    }),
};

/** Keeps a host from being asked for more than one page in two seconds by this process. */
export class HostPace {
  readonly #last = new Map<string, number>();
  readonly #time: PaceTime;

  constructor(time = REAL_TIME) {
    this.#time = time;
  }

  /** Waits until a host may be asked for the next page. @throws the reason of the signal */
  async wait(host: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const now = this.#time.now();
    const last = this.#last.get(host);
    // Taken before the wait: the next request gets the turn after it.
    const turn = last === undefined ? now : Math.max(now, last + BETWEEN);
    this.#last.delete(host);
    this.#last.set(host, turn);
    const [oldest] = this.#last.keys();
    if (oldest !== undefined && this.#last.size > HOSTS_MAX) this.#last.delete(oldest);
    if (turn > now) await this.#time.wait(turn - now, signal);
  }
}

import { REFUSED_AT_MOST } from "./load.ts";
import { percentile } from "./result.ts";

/** The latencies of a probe's requests, in milliseconds. */
interface Latencies {
  readonly median: number;
  readonly p99: number;
  readonly count: number;
}

/** The interval between two requests of a probe, in milliseconds. */
const PACE = 5;

/**
 * A client that sends requests at a steady pace, even if earlier ones are unanswered. So a stall of the server
 * affects every request that arrives during it, not just one.
 */
export class Probe {
  readonly #url: string;
  readonly #next: () => RequestInit;
  readonly #taken: number[] = [];
  readonly #waiting = new Set<Promise<void>>();
  #refused = 0;
  #failure: unknown;
  #timer: ReturnType<typeof setInterval>;

  /** @param next returns the method, headers and body of the next request */
  constructor(url: string, next: () => RequestInit = () => ({})) {
    this.#url = url;
    this.#next = next;
    this.#timer = setInterval(() => this.#ask(), PACE);
  }

  /** Stops sending, and waits for the responses. @throws when any were wrong, or too many were refused */
  async stop(): Promise<Latencies> {
    clearInterval(this.#timer);
    await Promise.all(this.#waiting);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#refused > this.#taken.length * REFUSED_AT_MOST)
      throw new Error(`${this.#taken.length} were answered beside the load, and ${this.#refused} refused`);
    return {
      median: percentile(this.#taken, 0.5),
      p99: percentile(this.#taken, 0.99),
      count: this.#taken.length,
    };
  }

  #ask(): void {
    const started = performance.now();
    const asked = fetch(this.#url, this.#next())
      .then(async (response) => {
        await response.bytes();
        if (response.status === 503) this.#refused++;
        else if (response.ok) this.#taken.push(performance.now() - started);
        else throw new Error(`${this.#url} answered ${response.status}`);
      })
      .catch((error) => {
        this.#failure ??= error;
      })
      .finally(() => this.#waiting.delete(asked));
    this.#waiting.add(asked);
  }
}

import { REFUSED_AT_MOST } from "./load.ts";
import { percentile } from "./result.ts";
import type { Server } from "./server.ts";

/**
 * Runs some work while clients fetch a bookmark from the measured server, and from one that is otherwise
 * idle. The latency of the idle one shows the noise of the machine and of the benchmark.
 * @returns the result of the work, and the 99th percentiles in milliseconds
 */
export async function withOthers<T>(
  { server, idle }: { readonly server: Server; readonly idle: Server },
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly p99: number; readonly noise: number }> {
  const others = new Probe(`${server.url}/bookmarks/1`);
  const control = new Probe(`${idle.url}/bookmarks/1`);
  const done = await work();
  const [{ p99 }, { p99: noise }] = await Promise.all([others.stop(), control.stop()]);
  return { done, p99, noise };
}

/** The latencies of a probe's requests, in milliseconds. */
export interface Latencies {
  readonly median: number;
  readonly p99: number;
  readonly count: number;
}

/** The interval between two requests of a probe, in milliseconds. */
export const PACE = 5;

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

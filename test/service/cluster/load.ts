import { COLLECTION, draft } from "../../support/records/bookmarks.ts";
import type { Send } from "../../support/requests/send.ts";

/** Clients of each server. */
const CLIENTS = 4;

/** How many bookmarks a client creates before it searches for the newest one. */
const WRITES_PER_SEARCH = 10;

/**
 * Clients of one server that create bookmarks without a pause. Each retries with the same key until it gets a 201, and
 * searches for some of them at once.
 */
export class Load {
  readonly name: string;
  /** Titles of the bookmarks that got a 201. */
  readonly confirmed: string[] = [];
  writes = 0;
  /** Searches that were answered, and those of them that did not find what had been confirmed before. */
  searches = 0;
  stale = 0;
  /** The longest time without a write, in milliseconds. */
  longest = 0;
  #last = performance.now();
  #isStopping = false;
  readonly #running: Promise<unknown>;

  constructor(name: string, send: Send) {
    this.name = name;
    this.#running = Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.#write(send, client)));
  }

  reset(): void {
    this.writes = 0;
    this.longest = 0;
    this.#last = performance.now();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  async #write(send: Send, client: number): Promise<void> {
    for (let number = 0; !this.#isStopping; number++) {
      const title = `${this.name}-${client}-${number}`.replaceAll(" ", "-");
      const init = { method: "POST", headers: { "idempotency-key": title }, json: { ...draft, title } };
      while (!(await send(COLLECTION, init)).ok) await Bun.sleep(50);
      this.confirmed.push(title);
      this.writes++;
      this.longest = Math.max(this.longest, performance.now() - this.#last);
      this.#last = performance.now();
      if (number % WRITES_PER_SEARCH === 0) await this.#search(send, title);
    }
  }

  async #search(send: Send, title: string): Promise<void> {
    const response = await send(`${COLLECTION}?q=${encodeURIComponent(`"${title}"`)}`);
    const text = await response.text();
    if (!response.ok) return;
    this.searches++;
    if (!text.includes(`"${title}"`)) this.stale++;
  }
}

import type { Awaitable } from "../awaitable.ts";
import type { Database, Stamp } from "./database.ts";

/** Shows whether anything was committed. */
export type Stamps = Pick<Database, "stamp" | "stampNow">;

/** A request, and the stamp that it has taken. */
export interface StampedRequest {
  readonly request: Request;
  readonly stamp: Stamps;
}

/**
 * The stamp of one request: read once, after the request has arrived, and shared by the caches that serve it. So a request
 * sees every write that was confirmed before it arrived. It is read anew after the body, which may have taken long.
 */
export class RequestStamp implements Stamps {
  readonly #stamps: Stamps;
  #stamp: Awaitable<Stamp> | undefined;

  constructor(stamps: Stamps) {
    this.#stamps = stamps;
  }

  stamp(): Awaitable<Stamp> {
    this.#stamp ??= this.#read();
    return this.#stamp;
  }

  stampNow(): Stamp | undefined {
    this.#stamp ??= this.#stamps.stampNow();
    return this.#stamp instanceof Promise ? undefined : this.#stamp;
  }

  /** Has the stamp read again: after a wait, or after the request itself has committed something. */
  renew(): void {
    this.#stamp = undefined;
  }

  #read(): Awaitable<Stamp> {
    const stamp = this.#stamps.stamp();
    if (!(stamp instanceof Promise)) return stamp;
    // From then on, caches that use only a stamp that is there can use it.
    return stamp.then((known) => {
      this.#stamp = known;
      return known;
    });
  }
}

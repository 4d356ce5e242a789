import { Refusal } from "../../errors.ts";
import { networkOf } from "../client/address.ts";
import type { Client } from "../client/client.ts";

/** A number of requests per time, in milliseconds. */
export interface Rate {
  readonly requests: number;
  readonly window: number;
}

/** Most addresses in memory; beyond, the least recently seen is dropped. */
const REMEMBERED = 50_000;
/** Expired entries removed by each request. */
const PURGED_AT_ONCE = 2;

/**
 * A rate limit for each client, which is an IPv4 address or an IPv6 network (/64), counted in this process alone. Unused
 * requests return gradually, not at the end of a window (GCRA, ITU-T I.371).
 */
export class RateLimits {
  readonly #limit: Limit;

  /** @param now a monotonic clock, in milliseconds */
  constructor(rate: Rate, { now = () => performance.now(), remembered = REMEMBERED } = {}) {
    this.#limit = new Limit("address", rate, now, remembered);
  }

  /** Addresses in memory. */
  get remembered(): number {
    return this.#limit.remembered;
  }

  /** The allowance of a new request. */
  begin(): Allowance {
    return new Allowance(this.#limit);
  }
}

/** The rate limit as it applies to one request. */
export class Allowance {
  readonly #limit: Limit;
  #state: LimitState | undefined;

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /** @throws Refusal `too_many_requests` */
  count(client: Client): void {
    this.#state = this.#limit.count(networkOf(client.address));
    if (this.#state.wait > 0) throw this.#limit.refusal(this.#state.wait);
  }

  /** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11); no headers if this request was not counted. */
  headers(): Record<string, string> {
    if (this.#state === undefined) return {};
    const { name, policy } = this.#limit;
    const { left, full } = this.#state;
    return { "ratelimit-policy": policy, ratelimit: `"${name}";r=${left};t=${inSeconds(full)}` };
  }
}

/** The state of a client under a limit. */
interface LimitState {
  /** Requests that it may send now. */
  readonly left: number;
  /** Milliseconds until its full allowance is back. */
  readonly full: number;
  /** Milliseconds until its next request, when this one exceeded the limit and was not counted. */
  readonly wait: number;
}

/** A limit, counted by key. A refused request is not counted. */
export class Limit {
  readonly name: string;
  readonly policy: string;
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #max: number;
  /** When the full allowance is back, by client; least recently seen first. */
  readonly #fullAt = new Map<string, number>();

  constructor(name: string, rate: Rate, now: () => number, max: number) {
    this.name = name;
    this.policy = `"${name}";q=${rate.requests};w=${inSeconds(rate.window)}`;
    this.#rate = rate;
    this.#now = now;
    this.#max = max;
  }

  get remembered(): number {
    return this.#fullAt.size;
  }

  count(key: string): LimitState {
    const { requests, window } = this.#rate;
    const each = window / requests;
    const now = this.#now();
    const before = Math.max(this.#fullAt.get(key) ?? now, now);
    const wait = before + each - now - window;
    // A tolerance, since sums of fractions are not exact.
    const tooMany = wait > 1e-6 * window;
    const fullAt = tooMany ? before : before + each;
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt);
    this.#purge(now);
    const left = tooMany ? 0 : Math.floor((window - (fullAt - now)) / each + 1e-6);
    return { left, full: fullAt - now, wait: tooMany ? wait : 0 };
  }

  refusal(wait: number): Refusal {
    const { requests, window } = this.#rate;
    const seconds = inSeconds(wait);
    const detail = `Too many requests: this ${this.name} may send ${requests} in ${inSeconds(window)} s; wait ${seconds} s.`;
    return new Refusal("too_many_requests", detail, { retryAfter: seconds });
  }

  /** Removes clients with a full allowance, and the oldest beyond the maximum. */
  #purge(now: number): void {
    let purged = 0;
    for (const [key, fullAt] of this.#fullAt) {
      const spare = fullAt <= now && purged < PURGED_AT_ONCE;
      if (!spare && this.#fullAt.size <= this.#max) return;
      this.#fullAt.delete(key);
      purged++;
    }
  }
}

function inSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}

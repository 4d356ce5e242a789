import { Refusal } from "../../errors.ts";
import type { Caller } from "../access.ts";
import { networkOf } from "../client/address.ts";
import type { Client } from "../client/client.ts";

/** A number of requests per time, in milliseconds. */
export interface Rate {
  readonly requests: number;
  readonly window: number;
}

/** Most addresses, and most accounts, in memory; beyond, the least recently seen is dropped. */
const REMEMBERED = 50_000;
/** Expired entries removed by each request. */
const PURGED_AT_ONCE = 2;

export interface RateLimitOptions {
  /** For each IPv4 address or IPv6 network (/64). */
  readonly address?: Rate | undefined;
  readonly account?: Rate | undefined;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
  readonly remembered?: number;
}

/**
 * Rate limits per client, counted in this process alone. Unused requests return gradually, not at the end of a window
 * (GCRA, ITU-T I.371).
 */
export class RateLimits {
  readonly #address: Limit | undefined;
  readonly #account: Limit | undefined;

  constructor({
    address,
    account,
    now = () => performance.now(),
    remembered = REMEMBERED,
  }: RateLimitOptions) {
    this.#address = address && new Limit("address", address, now, remembered);
    this.#account = account && new Limit("account", account, now, remembered);
  }

  /** Addresses and accounts in memory. */
  get remembered(): number {
    return (this.#address?.remembered ?? 0) + (this.#account?.remembered ?? 0);
  }

  /** The allowance of a new request. */
  begin(): Allowance {
    return new Allowance(this.#address, this.#account);
  }
}

/** The rate limits as they apply to one request. */
export class Allowance {
  readonly #address: Limit | undefined;
  readonly #account: Limit | undefined;
  readonly #states: LimitState[] = [];

  constructor(address: Limit | undefined, account: Limit | undefined) {
    this.#address = address;
    this.#account = account;
  }

  /** @throws Refusal `too_many_requests` */
  countAddress(client: Client): void {
    if (this.#address !== undefined) this.#count(this.#address, networkOf(client.address));
  }

  /** @throws Refusal `too_many_requests` */
  countAccount({ account }: Caller): void {
    if (this.#account !== undefined && account !== undefined) this.#count(this.#account, String(account.id));
  }

  /** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11); no headers if no limit counted this request. */
  headers(): Record<string, string> {
    if (this.#states.length === 0) return {};
    return {
      "ratelimit-policy": this.#states.map(({ limit }) => limit.policy).join(", "),
      ratelimit: this.#states
        .map(({ limit, left, full }) => `"${limit.name}";r=${left};t=${inSeconds(full)}`)
        .join(", "),
    };
  }

  #count(limit: Limit, key: string): void {
    const state = limit.count(key);
    this.#states.push(state);
    if (state.wait > 0) throw limit.refusal(state.wait);
  }
}

/** The state of a client under a limit. */
interface LimitState {
  readonly limit: Limit;
  /** Requests that it may send now. */
  readonly left: number;
  /** Milliseconds until its full allowance is back. */
  readonly full: number;
  /** Milliseconds until its next request, when this one exceeded the limit and was not counted. */
  readonly wait: number;
}

/** A limit, counted by key. Nobody is counted for a request that is refused. */
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
    return { limit: this, left, full: fullAt - now, wait: tooMany ? wait : 0 };
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

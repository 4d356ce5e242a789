import type { Clock } from "../../clock.ts";
import { Refusal } from "../../errors.ts";
import { networkOf } from "../../http/client/address.ts";
import type { Client } from "../../http/client/client.ts";
import { Limit } from "../../http/guards/rate-limits.ts";

const HOUR = 60 * 60 * 1000;
/** How many comments of strangers are taken in an hour. */
const PER_ADDRESS = 10;
const PER_SITE = 200;
/** Addresses in memory; beyond, the least recently seen is dropped. */
const REMEMBERED = 50_000;

let factor = 1;

/** Only tests change it: most of theirs are not about these limits. */
export function multiplyAnonymousCommentLimits(by: number): void {
  factor = by;
}

/** Limits the comments of people who are not signed in, by address and in all, counted by each process. */
export class AnonymousCommentLimits {
  readonly #address: Limit;
  readonly #site: Limit;

  constructor(clock: Clock) {
    const limit = (name: string, comments: number, remembered: number) =>
      new Limit(name, { requests: comments * factor, window: HOUR }, () => clock.elapsed(), remembered);
    this.#address = limit("address", PER_ADDRESS, REMEMBERED);
    this.#site = limit("site", PER_SITE, 1);
  }

  /** Counts a comment. @throws Refusal `too_many_requests` */
  count({ address }: Client): void {
    this.#count(this.#address, networkOf(address), "from this address");
    this.#count(this.#site, "", "on this site");
  }

  #count(limit: Limit, key: string, whose: string): void {
    const { wait } = limit.count(key);
    if (wait === 0) return;
    const detail = `Too many comments ${whose} within an hour. Try again in ${Math.ceil(wait / 60_000)} min, or sign in.`;
    throw new Refusal("too_many_requests", detail, { retryAfter: Math.ceil(wait / 1000) });
  }
}

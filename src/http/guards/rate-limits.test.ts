import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Client } from "../client/client.ts";
import { type Rate, RateLimits } from "./rate-limits.ts";

const TEN_A_MINUTE: Rate = { requests: 10, window: 60_000 };

/** Limits with a clock that only the test advances. */
function limitsOf(address: Rate, more: { remembered?: number } = {}) {
  const clock = { now: 0 };
  const limits = new RateLimits(address, { ...more, now: () => clock.now });
  /** Whether an address is admitted, and its rate limit headers. */
  const ask = (from = "192.0.2.1") => {
    const allowance = limits.begin();
    try {
      allowance.count({ address: from } as Client);
      return { refused: undefined, headers: allowance.headers() };
    } catch (refused) {
      return { refused, headers: allowance.headers() };
    }
  };
  return { clock, limits, ask };
}

describe("A limit of ten a minute", () => {
  test("allows ten at once, and reports how many are left", () => {
    const { ask } = limitsOf(TEN_A_MINUTE);
    for (let left = 9; left >= 0; left--) {
      const { refused, headers } = ask();
      expect(refused).toBeUndefined();
      expect(headers).toEqual({
        "ratelimit-policy": '"address";q=10;w=60',
        ratelimit: `"address";r=${left};t=${6 * (10 - left)}`,
      });
    }
  });

  test("refuses the eleventh, with a time to retry", () => {
    const { ask, clock } = limitsOf(TEN_A_MINUTE);
    for (let n = 0; n < 10; n++) ask();
    clock.now += 1_500;
    const { refused, headers } = ask();
    expect(refused).toMatchObject({ reason: "too_many_requests", retryAfter: 5 });
    expect(headers.ratelimit).toBe('"address";r=0;t=59');
  });

  test("admits one more every six seconds; refused requests do not count", () => {
    const { ask, clock } = limitsOf(TEN_A_MINUTE);
    for (let n = 0; n < 1_000; n++) ask();
    for (let n = 0; n < 30; n++) {
      clock.now += 6_000;
      expect(ask().refused).toBeUndefined();
      expect(ask().refused).toBeDefined();
    }
  });

  test("is fully restored after a minute without requests", () => {
    const { ask, clock } = limitsOf(TEN_A_MINUTE);
    for (let n = 0; n < 10; n++) ask();
    clock.now += 60_000;
    expect(ask().headers.ratelimit).toBe('"address";r=9;t=6');
  });

  test("counts each client separately, and all addresses of an IPv6 network as one", () => {
    const { ask } = limitsOf({ requests: 1, window: 60_000 });
    for (const [one, other] of [
      ["192.0.2.1", "::ffff:192.0.2.1"],
      ["2001:db8::1", "2001:db8:0:0:ffff::2"],
    ]) {
      expect(ask(one).refused).toBeUndefined();
      expect(ask(other).refused).toBeDefined();
    }
    for (const another of ["192.0.2.2", "2001:db8:0:1::1"]) expect(ask(another).refused).toBeUndefined();
  });

  test("remembers a limited number of clients, and none longer than needed", () => {
    const { ask, clock, limits } = limitsOf({ requests: 1, window: 1_000 }, { remembered: 100 });
    for (let n = 0; n < 1_000; n++) ask(`10.0.${n >> 8}.${n & 255}`);
    expect(limits.remembered).toBe(100);
    // The oldest client is forgotten, the latest are not.
    expect(ask("10.0.3.231").refused).toBeDefined();
    expect(ask("10.0.0.1").refused).toBeUndefined();
    clock.now += 1_000;
    for (let n = 0; n < 100; n++) ask("192.0.2.1");
    expect(limits.remembered).toBe(1);
  });
});

test("A limit never admits more than its rate, at any timing of requests", () => {
  const rates = fc.record({
    requests: fc.integer({ min: 1, max: 50 }),
    window: fc.integer({ min: 1, max: 9_999 }),
  });
  const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })), { maxLength: 200 });
  const property = fc.property(rates, pauses, (rate, pauses) => {
    const { ask, clock } = limitsOf(rate);
    const through: number[] = [];
    for (const pause of pauses) {
      clock.now += pause;
      if (ask().refused === undefined) through.push(clock.now);
    }
    // In any interval, at most the burst plus the allowance regained in it.
    for (const [from, start] of through.entries())
      for (const [to, end] of through.entries())
        if (to >= from)
          expect(to - from + 1).toBeLessThanOrEqual(
            rate.requests + Math.floor(((end - start) * rate.requests) / rate.window + 1e-3),
          );
  });
  fc.assert(property, { seed: 20_261_121, numRuns: 60 });
});

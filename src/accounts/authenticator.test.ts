import { describe, expect, test } from "bun:test";
import { LastUsed } from "./authenticator.ts";

const MINUTE = 60_000;
const work = async () => {};

describe("A last use", () => {
  test("is recorded when none is stored, or the stored one is a minute old", () => {
    for (const [stored, due] of [
      [null, 1],
      [0, 1],
      [1, 0],
      [MINUTE, 0],
    ] as const) {
      const { lastUsed, writes } = counted();
      lastUsed.recordThrottled("token 1", stored === null ? null : new Date(stored), MINUTE, MINUTE, work);
      expect(writes()).toBe(due);
    }
  });

  test("is recorded once for concurrent requests", () => {
    const { lastUsed, writes } = counted();
    for (let now = MINUTE; now < 2 * MINUTE; now += 1_000)
      lastUsed.recordThrottled("token 1", null, now, MINUTE, work);
    expect(writes()).toBe(1);
    lastUsed.recordThrottled("token 1", null, 2 * MINUTE, MINUTE, work);
    expect(writes()).toBe(2);
  });

  test("of one subject does not count for another", () => {
    const { lastUsed, writes } = counted();
    for (const subject of ["token 1", "token 2", "session 1"])
      lastUsed.recordThrottled(subject, null, MINUTE, MINUTE, work);
    expect(writes()).toBe(3);
  });

  test("is remembered for a limited number of subjects", () => {
    const { lastUsed, writes } = counted();
    for (let id = 0; id < 30_000; id++) lastUsed.recordThrottled(`token ${id}`, null, MINUTE, MINUTE, work);
    const before = writes();
    lastUsed.recordThrottled("token 0", null, MINUTE, MINUTE, work);
    expect(writes()).toBe(before + 1);
  });

  function counted() {
    let count = 0;
    const lastUsed = new LastUsed(() => {
      count++;
    });
    return { lastUsed, writes: () => count };
  }
});

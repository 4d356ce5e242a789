import { describe, expect, spyOn, test } from "bun:test";
import { retryWhileLocked } from "./retry-while-locked.ts";

const busy = Object.assign(new Error("database is locked"), { errcode: 5 });

describe("retryWhileLocked", () => {
  test("returns the result of the attempt, at once when nothing is locked", async () => {
    let attempts = 0;
    expect(await retryWhileLocked(0, () => ++attempts)).toBe(1);
  });

  test("tries again until the lock is free", async () => {
    let attempts = 0;
    const attempt = () => {
      if (++attempts < 5) throw busy;
      return "done";
    };
    expect(await retryWhileLocked(60_000, attempt)).toBe("done");
    expect(attempts).toBe(5);
  });

  test("gives up after its time limit", async () => {
    let now = 0;
    using _clock = spyOn(performance, "now").mockImplementation(() => now);
    let attempts = 0;
    const attempt = () => {
      attempts++;
      now += 20;
      throw busy;
    };
    await expect(retryWhileLocked(60, attempt)).rejects.toBe(busy);
    expect(attempts).toBe(3);
  });

  test("does not try again after any other error", async () => {
    let attempts = 0;
    const other = new Error("no such table");
    const attempt = () => {
      attempts++;
      throw other;
    };
    await expect(retryWhileLocked(60_000, attempt)).rejects.toBe(other);
    expect(attempts).toBe(1);
  });
});

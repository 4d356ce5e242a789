import { describe, expect, test } from "bun:test";
import { Refusal } from "../../errors.ts";
import { CHUNK, StreamBudget } from "./stream-budget.ts";

const KIBIBYTE = 1024;
/** The time of a chunk at 16 KiB/s, in milliseconds. */
const SLOW_AFTER = 4_000;

describe("A budget of long responses", () => {
  let now = 0;
  const budgetOf = (max: number) => {
    now = 0;
    return new StreamBudget(max, () => now);
  };

  test("refuses a response when memory is full, with a Retry-After", () => {
    const budget = budgetOf(100 * KIBIBYTE);
    const first = budget.reserve(60 * KIBIBYTE);
    const refusal = caught(() => budget.reserve(60 * KIBIBYTE));
    expect(refusal).toMatchObject({ reason: "unavailable", retryAfter: 2 });
    first.release();
    budget.reserve(60 * KIBIBYTE);
    expect(budget.state).toEqual({ answers: 1, bytes: 60 * KIBIBYTE });
  });

  test("allows one response larger than the whole budget", () => {
    const budget = budgetOf(1);
    budget.reserve(CHUNK);
    expect(() => budget.reserve(CHUNK)).toThrow(Refusal);
  });

  test("drops clients slower than 16 KiB/s when memory is needed, and only then, the longest waiting first", () => {
    const budget = budgetOf(3 * CHUNK);
    const dropped: string[] = [];
    const readers = ["a", "b", "c"].map((name) => {
      const reservation = budget.reserve(CHUNK);
      reservation.onDrop = () => dropped.push(name);
      return reservation;
    });
    now = SLOW_AFTER;
    readers[0]?.taken(CHUNK);
    expect(dropped).toEqual([]);
    budget.reserve(CHUNK);
    expect(dropped).toEqual(["b"]);
    budget.reserve(CHUNK);
    expect(dropped).toEqual(["b", "c"]);
    // The first client and the new ones are fast enough.
    now += SLOW_AFTER - 1;
    expect(() => budget.reserve(CHUNK)).toThrow(Refusal);
  });

  test("counts the current memory of a response, and releases it once", () => {
    const budget = budgetOf(10 * CHUNK);
    const reservation = budget.reserve(CHUNK);
    reservation.taken(3 * CHUNK);
    expect(budget.state.bytes).toBe(3 * CHUNK);
    reservation.release();
    reservation.release();
    reservation.taken(CHUNK);
    expect(budget.state).toEqual({ answers: 0, bytes: 0 });
  });
});

function caught(provoke: () => unknown): unknown {
  try {
    return provoke();
  } catch (error) {
    return error;
  }
}

import { describe, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { useRealTimeLimits } from "../../../test/support/given/real-time-limits.ts";
import { Refusal } from "../../errors.ts";
import { IN_PROGRESS_MAX, LoadShedder } from "./load-shedding.ts";

useRealTimeLimits();

/** Any moment of the clock, in milliseconds. */
const START = 10_000;

/** The refusal of a request, if any. */
function refusalOf(load: LoadShedder, now: number): unknown {
  try {
    load.checkDelay(now);
  } catch (error) {
    return error;
  }
}

describe("Load shedding", () => {
  test("does not refuse the first request, nor one after a long pause", () => {
    const load = new LoadShedder();
    expect(refusalOf(load, START)).toBeUndefined();
    expect(refusalOf(load, START + 60_000)).toBeUndefined();
  });

  test("refuses the last requests of a turn of the event loop that takes long", () => {
    const load = new LoadShedder();
    const refused = Array.from({ length: 100 }, (_, index) => refusalOf(load, START + index));
    expect(refused.findIndex((refusal) => refusal !== undefined)).toBe(81);
    expect(refused.slice(81).every((refusal) => refusal instanceof Refusal)).toBeTrue();
    expect(refused[81]).toMatchObject({ reason: "unavailable", retryAfter: 1 });
    expect(load.refused).toBe(19);
  });

  test("starts a new turn when refusing has taken as long as admitting", () => {
    const load = new LoadShedder();
    const times = Array.from({ length: 400 }, (_, index) => index);
    const served = times.filter((index) => refusalOf(load, START + index) === undefined);
    expect(served).toEqual(times.filter((index) => index % 160 <= 80));
  });

  test("admits requests again in the next turn of the event loop", async () => {
    const load = new LoadShedder();
    for (let index = 0; index < 100; index++) refusalOf(load, START + index);
    expect(refusalOf(load, START + 101)).toBeDefined();
    await setImmediate();
    expect(refusalOf(load, START + 200)).toBeUndefined();
  });

  test("does not refuse when the process was suspended and few requests wait", () => {
    const load = new LoadShedder();
    refusalOf(load, START);
    for (let index = 0; index < 63; index++) expect(refusalOf(load, START + 100)).toBeUndefined();
    expect(refusalOf(load, START + 100)).toBeDefined();
    expect(refusalOf(load, START + 5_000)).toBeUndefined();
  });

  test("does not count requests that were served before the process was suspended", async () => {
    const load = new LoadShedder();
    for (let turn = 0; turn < 10; turn++) {
      for (let index = 0; index < 64; index++)
        expect(refusalOf(load, START + 10 * turn + index / 10)).toBeUndefined();
      await setImmediate();
    }
    for (let index = 0; index < 64; index++) expect(refusalOf(load, START + 5_000)).toBeUndefined();
  });

  test("refuses requests beyond a number in progress, reads and writes apart, until one has ended", () => {
    const load = new LoadShedder();
    for (let entered = 0; entered < IN_PROGRESS_MAX; entered++) load.enter("write");
    expect(() => load.enter("write")).toThrow(
      expect.objectContaining({ reason: "unavailable", retryAfter: 1 }),
    );
    load.enter("read");
    load.leave("write");
    load.enter("write");
    expect(() => load.enter("write")).toThrow(Refusal);
    expect(load.refused).toBe(2);
  });
});

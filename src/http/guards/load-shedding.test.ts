import { describe, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { QueueEstimate } from "../../database/load/queue-estimate.ts";
import type { QueueEstimates } from "../../database/load/queue-estimates.ts";
import { Refusal } from "../../errors.ts";
import { LoadShedder } from "./load-shedding.ts";

/** The refusal of a request, if any. */
function refusalOf(load: LoadShedder, now: number, writes = false): unknown {
  try {
    load.check(writes, now);
  } catch (error) {
    return error;
  }
}

const queues = (): QueueEstimates => ({ reads: new QueueEstimate(), writes: new QueueEstimate() });

describe("Load shedding", () => {
  test("does not refuse the first request, nor one after a long pause", () => {
    const load = new LoadShedder(queues());
    expect(refusalOf(load, performance.now())).toBeUndefined();
    expect(refusalOf(load, performance.now() + 1, true)).toBeUndefined();
  });

  test("refuses the last requests of a turn of the event loop that takes long", () => {
    const load = new LoadShedder(queues());
    const began = performance.now();
    const refused = Array.from({ length: 100 }, (_, index) => refusalOf(load, began + index));
    expect(refused.findIndex((refusal) => refusal !== undefined)).toBe(81);
    expect(refused.slice(81).every((refusal) => refusal instanceof Refusal)).toBeTrue();
    expect(refused[81]).toMatchObject({ reason: "unavailable", retryAfter: 1 });
    expect(load.refused).toBe(19);
  });

  test("starts a new turn when refusing has taken as long as admitting", () => {
    const load = new LoadShedder(queues());
    const began = Math.ceil(performance.now());
    const times = Array.from({ length: 400 }, (_, index) => index);
    const served = times.filter((index) => refusalOf(load, began + index) === undefined);
    expect(served).toEqual(times.filter((index) => index % 160 <= 80));
  });

  test("admits requests again in the next turn of the event loop", async () => {
    const load = new LoadShedder(queues());
    const began = performance.now();
    for (let index = 0; index < 100; index++) refusalOf(load, began + index);
    expect(refusalOf(load, began + 101)).toBeDefined();
    await setImmediate();
    expect(refusalOf(load, began + 200)).toBeUndefined();
  });

  test("does not refuse when the process was suspended and few requests wait", () => {
    const load = new LoadShedder(queues());
    const began = performance.now();
    refusalOf(load, began);
    for (let index = 0; index < 63; index++) expect(refusalOf(load, began + 100)).toBeUndefined();
    expect(refusalOf(load, began + 100)).toBeDefined();
    expect(refusalOf(load, began + 5_000)).toBeUndefined();
  });

  test("does not count requests that were served before the process was suspended", async () => {
    const load = new LoadShedder(queues());
    const began = performance.now();
    for (let turn = 0; turn < 10; turn++) {
      for (let index = 0; index < 64; index++)
        expect(refusalOf(load, began + 10 * turn + index / 10)).toBeUndefined();
      await setImmediate();
    }
    for (let index = 0; index < 64; index++) expect(refusalOf(load, began + 5_000)).toBeUndefined();
  });

  test("judges reads and writes separately", () => {
    const { reads, writes } = queues();
    const load = new LoadShedder({ reads, writes });
    for (let served = 0; served < 64; served++) writes.note(10);
    for (let index = 0; index < 64; index++) writes.join(new Promise(() => {}));
    const now = performance.now();
    expect(refusalOf(load, now, true)).toBeInstanceOf(Refusal);
    expect(refusalOf(load, now)).toBeUndefined();
  });
});

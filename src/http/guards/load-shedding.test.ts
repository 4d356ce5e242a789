import { describe, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { runInBackground } from "../../database/load/admission.ts";
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

const queues = (): QueueEstimates => ({
  reads: new QueueEstimate("reads"),
  writes: new QueueEstimate("writes"),
});

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
    for (let index = 0; index < 64; index++) writes.join(() => new Promise(() => {}));
    const now = performance.now();
    expect(refusalOf(load, now, true)).toBeInstanceOf(Refusal);
    expect(refusalOf(load, now)).toBeUndefined();
  });
});

describe("An admitted request", () => {
  const never = () => new Promise<never>(() => {});
  const soon = async () => {};

  /** A load shedder that expects each request to take 10 ms. */
  function slowly() {
    const { reads, writes } = queues();
    for (const queue of [reads, writes]) for (let served = 0; served < 64; served++) queue.note(10);
    return { reads, writes, load: new LoadShedder({ reads, writes }) };
  }

  /** Other requests join the queue. */
  function fill(queue: QueueEstimate): void {
    runInBackground(() => {
      for (let inside = 0; inside < 64; inside++) queue.join(never);
    });
  }

  test.each(["reads", "writes"] as const)(
    "is refused when it joins a queue of %s that others have filled meanwhile",
    async (kind) => {
      const { [kind]: queue, load } = slowly();
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
      let inside = 0;
      const requests = Array.from({ length: 300 }, () =>
        load.admit(kind === "writes", performance.now(), async () => {
          await arrived;
          await queue.join(async () => inside++);
        }),
      );
      arrive();
      const refused = (await Promise.allSettled(requests)).filter(({ status }) => status === "rejected");
      expect(inside).toBe(64);
      expect(refused).toHaveLength(236);
      expect(refused[0]).toMatchObject({ reason: { reason: "unavailable", retryAfter: 1 } });
      expect(load.refused).toBe(236);
    },
  );

  test("is not refused between two reads, but before it writes", async () => {
    const { reads, writes, load } = slowly();
    const request = load.admit(true, performance.now(), async () => {
      await reads.join(soon);
      fill(reads);
      await reads.join(soon);
      fill(writes);
      await writes.join(soon);
    });
    expect(await request.catch((error) => error)).toBeInstanceOf(Refusal);
    expect(load.refused).toBe(1);
  });

  test("is not refused once it has written", async () => {
    const { reads, writes, load } = slowly();
    const request = load.admit(true, performance.now(), async () => {
      await writes.join(soon);
      fill(reads);
      fill(writes);
      await reads.join(soon);
      await writes.join(soon);
      return "done";
    });
    expect(await request).toBe("done");
  });

  test("counts for nothing while it waits for something else, such as its body", async () => {
    const { writes, load } = slowly();
    const now = performance.now();
    for (let waiting = 0; waiting < 300; waiting++) load.admit(true, now, never);
    expect(await load.admit(true, now, () => writes.join(async () => "done"))).toBe("done");
  });

  test("has its background work done, like that of the server", async () => {
    const { writes, load } = slowly();
    const request = load.admit(true, performance.now(), async () => {
      fill(writes);
      return runInBackground(() => writes.join(async () => "done"));
    });
    expect(await request).toBe("done");
    expect(await writes.join(async () => "done")).toBe("done");
  });
});

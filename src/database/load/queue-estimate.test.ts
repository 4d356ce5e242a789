import { describe, expect, test } from "bun:test";
import { QueueEstimate } from "./queue-estimate.ts";

const never = new Promise<never>(() => {});

/** A queue that has served enough requests at this service time, in milliseconds, to estimate it. */
function backlogOf(serviceTime: number): QueueEstimate {
  const queue = new QueueEstimate("writes");
  for (let served = 0; served < 64; served++) queue.note(serviceTime);
  return queue;
}

describe("A queue", () => {
  test("has no estimated wait up to minAdmitted requests, however slow they are", () => {
    const queue = backlogOf(1_000);
    for (let inside = 0; inside < 63; inside++) queue.join(() => never);
    expect(queue.wait).toBe(0);
    queue.join(() => never);
    expect(queue.wait).toBe(64_000);
  });

  test("has no estimated wait before enough requests were served", () => {
    const queue = new QueueEstimate("writes");
    for (let served = 0; served < 63; served++) queue.note(1_000);
    for (let inside = 0; inside < 100; inside++) queue.join(() => never);
    expect(queue.wait).toBe(0);
  });

  test("shrinks when work succeeds or fails", async () => {
    const queue = backlogOf(1);
    for (let inside = 0; inside < 64; inside++) queue.join(() => never);
    expect(await queue.join(async () => "done")).toBe("done");
    expect(await queue.join(() => Promise.reject(new Error("no"))).catch(String)).toBe("Error: no");
    expect(queue.wait).toBe(64);
  });

  test("is hardly estimated longer after one slow request", () => {
    const queue = backlogOf(1);
    queue.note(10_000);
    for (let inside = 0; inside < 100; inside++) queue.join(() => never);
    expect(queue.wait).toBeWithin(100, 111);
  });

  test("adapts the estimate to the latest service times", async () => {
    const queue = new QueueEstimate("writes");
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    for (let served = 0; served < 64; served++) queue.note(1_000_000);
    const joined = performance.now();
    const inside = Array.from({ length: 1_000 }, () => queue.joinQueue(() => opened, 10));
    await Bun.sleep(20);
    open();
    await Promise.all(inside);
    const took = performance.now() - joined;
    for (let count = 0; count < 100; count++) queue.join(() => never);
    // A thousand in 20 ms are 2 ms for a hundred; the first ones had shorter queues before them.
    expect(queue.wait).toBeWithin(1, took);
  });
});

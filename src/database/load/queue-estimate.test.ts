import { describe, expect, test } from "bun:test";
import { QueueEstimate } from "./queue-estimate.ts";

const never = new Promise<never>(() => {});

/** A backlog that has served enough at this serviceTime, in milliseconds, for it to be known. */
function backlogOf(serviceTime: number): QueueEstimate {
  const queue = new QueueEstimate();
  for (let served = 0; served < 64; served++) queue.note(serviceTime);
  return queue;
}

describe("A queue", () => {
  test("is none while minAdmitted are inside, however slow it goes", () => {
    const queue = backlogOf(1_000);
    for (let inside = 0; inside < 63; inside++) queue.join(never);
    expect(queue.wait).toBe(0);
    queue.join(never);
    expect(queue.wait).toBe(64_000);
  });

  test("is of unknown length, and so none, before enough were served", () => {
    const queue = new QueueEstimate();
    for (let served = 0; served < 63; served++) queue.note(1_000);
    for (let inside = 0; inside < 100; inside++) queue.join(never);
    expect(queue.wait).toBe(0);
  });

  test("is left by those whose work is done, or has failed", async () => {
    const queue = backlogOf(1);
    for (let inside = 0; inside < 64; inside++) queue.join(never);
    expect(await queue.join(Promise.resolve("done"))).toBe("done");
    expect(await queue.join(Promise.reject(new Error("no"))).catch(String)).toBe("Error: no");
    expect(queue.wait).toBe(64);
  });

  test("is hardly longer because one was held up", () => {
    const queue = backlogOf(1);
    queue.note(10_000);
    for (let inside = 0; inside < 100; inside++) queue.join(never);
    expect(queue.wait).toBeWithin(100, 111);
  });

  test("learns from those who come out of it how fast it goes, whatever it was before", async () => {
    const queue = new QueueEstimate();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    for (let served = 0; served < 64; served++) queue.note(1_000_000);
    const joined = performance.now();
    const inside = Array.from({ length: 1_000 }, () => queue.joinQueue(opened, 10));
    await Bun.sleep(20);
    open();
    await Promise.all(inside);
    const took = performance.now() - joined;
    for (let count = 0; count < 100; count++) queue.join(never);
    // A thousand in 20 ms are 2 ms for a hundred; those who came first knew of fewer before them.
    expect(queue.wait).toBeWithin(1, took);
  });
});

import { describe, expect, test } from "bun:test";
import { Backlog } from "./queue-estimate.ts";

const never = new Promise<never>(() => {});

/** A backlog that has served enough at this pace, in milliseconds, for it to be known. */
function backlogOf(pace: number): Backlog {
  const backlog = new Backlog();
  for (let served = 0; served < 64; served++) backlog.note(pace);
  return backlog;
}

describe("A backlog", () => {
  test("is none while few are inside, however slow it goes", () => {
    const backlog = backlogOf(1_000);
    for (let inside = 0; inside < 63; inside++) backlog.join(never);
    expect(backlog.wait).toBe(0);
    backlog.join(never);
    expect(backlog.wait).toBe(64_000);
  });

  test("is of unknown length, and so none, before enough were served", () => {
    const backlog = new Backlog();
    for (let served = 0; served < 63; served++) backlog.note(1_000);
    for (let inside = 0; inside < 100; inside++) backlog.join(never);
    expect(backlog.wait).toBe(0);
  });

  test("is left by those whose work is done, or has failed", async () => {
    const backlog = backlogOf(1);
    for (let inside = 0; inside < 64; inside++) backlog.join(never);
    expect(await backlog.join(Promise.resolve("done"))).toBe("done");
    expect(await backlog.join(Promise.reject(new Error("no"))).catch(String)).toBe("Error: no");
    expect(backlog.wait).toBe(64);
  });

  test("is hardly longer because one was held up", () => {
    const backlog = backlogOf(1);
    backlog.note(10_000);
    for (let inside = 0; inside < 100; inside++) backlog.join(never);
    expect(backlog.wait).toBeWithin(100, 111);
  });

  test("learns from those who come out of it how fast it goes, whatever it was before", async () => {
    const backlog = new Backlog();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    for (let served = 0; served < 64; served++) backlog.note(1_000_000);
    const joined = performance.now();
    const inside = Array.from({ length: 1_000 }, () => backlog.joinQueue(opened, 10));
    await Bun.sleep(20);
    open();
    await Promise.all(inside);
    const took = performance.now() - joined;
    for (let count = 0; count < 100; count++) backlog.join(never);
    // A thousand in 20 ms are 2 ms for a hundred; those who came first knew of fewer before them.
    expect(backlog.wait).toBeWithin(1, took);
  });
});

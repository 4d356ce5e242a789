import { expect, test } from "bun:test";
import { Refusal } from "../../errors.ts";
import { ImportQueue } from "./import-queue.ts";

test("One file is read at a time, the others in their order, also when one fails", async () => {
  const queue = new ImportQueue();
  const events: string[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const readings = gates.map(({ promise }, index) =>
    queue.turn(async () => {
      events.push(`begin ${index}`);
      await promise;
      events.push(`end ${index}`);
    }),
  );
  expect(events).toEqual(["begin 0"]);
  gates[0]?.reject(new Error("damaged"));
  await expect(readings[0]).rejects.toThrow("damaged");
  gates[1]?.resolve();
  await readings[1];
  gates[3]?.resolve();
  gates[2]?.resolve();
  await Promise.all([readings[2], readings[3]]);
  expect(events.filter((event) => event.startsWith("begin"))).toEqual([0, 1, 2, 3].map((n) => `begin ${n}`));
});

test("Ten uploads have a place, the eleventh is refused until one has ended", () => {
  const queue = new ImportQueue();
  const places = Array.from({ length: 10 }, () => queue.enter());
  expect(() => queue.enter()).toThrow(Refusal);
  places[3]?.[Symbol.dispose]();
  expect(() => queue.enter()).not.toThrow();
  expect(() => queue.enter()).toThrow(Refusal);
});

import { expect, test } from "bun:test";
import { Refusal } from "../../errors.ts";
import { OneAtATime } from "./one-at-a-time.ts";

const busy = () => new Refusal("unavailable", "Busy.", { retryAfter: 10 });

test("One piece of work begins when the one before has ended, or failed", async () => {
  const one = new OneAtATime(60_000, busy);
  const first = Promise.withResolvers<string>();
  const order: string[] = [];
  const doing = one.do(() => first.promise);
  const others = ["b", "c"].map((name) =>
    one.do(async () => {
      order.push(`${name} begins`);
      await null;
      order.push(`${name} ends`);
      return name;
    }),
  );
  expect(order).toEqual([]);
  first.reject(new Error("failed"));
  await expect(doing).rejects.toThrow("failed");
  expect(await Promise.all(others)).toEqual(["b", "c"]);
  expect(order).toEqual(["b begins", "b ends", "c begins", "c ends"]);
});

test("Work that has waited too long is refused, and never done", async () => {
  const one = new OneAtATime(20, busy);
  const first = Promise.withResolvers<void>();
  const doing = one.do(() => first.promise);
  let isDone = false;
  const late = one.do(async () => {
    isDone = true;
  });
  await expect(late).rejects.toThrow("Busy.");
  first.resolve();
  await doing;
  expect(isDone).toBeFalse();
  expect(await one.do(async () => "free")).toBe("free");
});

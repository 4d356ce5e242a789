import { expect, test } from "bun:test";
import { LargeLooks } from "./large-looks.ts";

const connected = new AbortController().signal;

test("two looks at large files run at once, ten wait, and one more is refused", async () => {
  const looks = new LargeLooks();
  const begun: number[] = [];
  const gives: (() => void)[] = [];
  const taken = Array.from({ length: 12 }, async (_, index) => {
    gives.push(await looks.take(connected));
    begun.push(index);
  });
  await Promise.all(taken.slice(0, 2));
  expect(begun).toEqual([0, 1]);
  await expect(looks.take(connected)).rejects.toMatchObject({ reason: "unavailable", retryAfter: 60 });
  for (let done = 0; done < 12; done++) {
    await taken[done];
    gives[done]?.();
  }
  await Promise.all(taken);
  expect(begun).toEqual(Array.from({ length: 12 }, (_, index) => index));
});

test("a look whose client has gone gives its place to the next one", async () => {
  const looks = new LargeLooks();
  const gone = new AbortController();
  const gives = [await looks.take(connected), await looks.take(connected)];
  const left = looks.take(gone.signal);
  const next = looks.take(connected);
  gone.abort();
  gives[0]?.();
  await expect(left).rejects.toMatchObject({ reason: "unavailable" });
  (await next)();
});

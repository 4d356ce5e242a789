import { setImmediate } from "node:timers/promises";

/** The time after which the event loop runs, in milliseconds. */
const SLICE = 4;

/** Yields the items, and lets the event loop run in between: SQLite and the tokenizer block it. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T> {
  let begun = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - begun < SLICE) continue;
    await setImmediate();
    begun = performance.now();
  }
}

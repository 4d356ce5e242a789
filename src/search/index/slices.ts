import { setImmediate } from "node:timers/promises";

/** The number of records that are processed without a pause: less than ten milliseconds of work. */
const SLICE = 64;

/** Yields the items, and lets the event loop run after every few: SQLite and the tokenizer block it. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    if (++count % SLICE === 0) await setImmediate();
  }
}

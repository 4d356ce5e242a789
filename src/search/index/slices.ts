import { setImmediate } from "node:timers/promises";

/** So many records are worked at without a pause: less than ten milliseconds. */
const SLICE = 64;

/** The items, with a turn of the event loop for others after every few: SQLite and the tokenizer hold it up. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    if (++count % SLICE === 0) await setImmediate();
  }
}

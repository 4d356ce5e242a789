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

/** Batches of 1, 2, 4 … items. This limits the number of different statements, so they all stay prepared. */
export function* inBatches<T>(items: readonly T[], max: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; ) {
    const left = Math.min(items.length - start, max);
    const end = start + 2 ** Math.floor(Math.log2(left));
    yield items.slice(start, end);
    start = end;
  }
}

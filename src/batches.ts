/** The rows in batches of at most `size`, in their order. */
export function* inBatches<T>(rows: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

/** Batches of at most `max` items, each of 1, 2, 4 … So there are few different statements, and all stay prepared. */
export function* inBatchesOfFewSizes<T>(items: readonly T[], max: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; ) {
    const left = Math.min(items.length - start, max);
    const end = start + 2 ** Math.floor(Math.log2(left));
    yield items.slice(start, end);
    start = end;
  }
}

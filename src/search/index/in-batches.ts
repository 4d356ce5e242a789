/** Batches of 1, 2, 4 … items. This limits the number of different statements, so they all stay prepared. */
export function* inBatches<T>(items: readonly T[], max: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; ) {
    const left = Math.min(items.length - start, max);
    const end = start + 2 ** Math.floor(Math.log2(left));
    yield items.slice(start, end);
    start = end;
  }
}

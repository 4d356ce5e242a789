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

/** A long result in pages. @param read reads the page after a row; without one, the first page */
export async function* pages<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]> | readonly Row[],
): AsyncGenerator<readonly Row[]> {
  for (let rows = await read(undefined); rows.length > 0; rows = await read(rows.at(-1))) yield rows;
}

/** The rows in batches of at most `size`, in their order. */
export function* inBatches<T>(rows: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

/**
 * Pads a list to a power of two by repeating its last item. Each list length is a separate statement, and
 * engines keep every prepared statement: padding keeps their number small.
 *
 * @param list never empty
 */
export function padToPowerOfTwo(list: readonly number[]): readonly number[] {
  const length = 2 ** Math.ceil(Math.log2(list.length));
  return Array.from({ length }, (_, index) => list[Math.min(index, list.length - 1)] ?? 0);
}

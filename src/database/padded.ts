/**
 * A list as long as a power of two, its last item repeated. A statement with a list in it is another one for
 * each length, and engines keep every statement that they have prepared: so there are few.
 *
 * @param list never empty
 */
export function padded(list: readonly number[]): readonly number[] {
  const length = 2 ** Math.ceil(Math.log2(list.length));
  return Array.from({ length }, (_, index) => list[Math.min(index, list.length - 1)] ?? 0);
}

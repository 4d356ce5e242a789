/**
 * Polls a condition until it is true, for changes that cause no event.
 * @param options.within ends a test that would otherwise hang, in milliseconds; it judges nothing
 */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  { within = 300_000, every = 10 } = {},
): Promise<void> {
  const deadline = performance.now() + within;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`After ${within} ms still not: ${what}`);
    await Bun.sleep(every);
  }
}

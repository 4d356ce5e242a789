/** Asks again and again until the answer is yes: for what tells nobody that it has come about. */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  { within = 10_000, every = 10 } = {},
): Promise<void> {
  const deadline = performance.now() + within;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`After ${within} ms still not: ${what}`);
    await Bun.sleep(every);
  }
}

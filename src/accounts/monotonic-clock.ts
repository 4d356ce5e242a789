let latest = Date.now();
let noticed = performance.now();

/**
 * The time in milliseconds since 1970, which never goes back while the process runs: expired credentials stay expired
 * when the clock is set back. It follows when the clock is set forward.
 */
export function monotonicNow(): number {
  const monotonic = performance.now();
  const reckoned = latest + (monotonic - noticed);
  const clock = Date.now();
  if (clock < reckoned) return Math.floor(reckoned);
  latest = clock;
  noticed = monotonic;
  return clock;
}

import type { Clock } from "../clock.ts";

/** The latest time of day of each clock, and when it was noticed. */
const latest = new WeakMap<Clock, { readonly time: number; readonly noticed: number }>();

/**
 * The time in milliseconds since 1970, which never goes back while the process runs: expired credentials stay expired
 * when the clock is set back. It follows when the clock is set forward.
 */
export function monotonicNow(clock: Clock): number {
  const time = clock.now().getTime();
  const noticed = clock.elapsed();
  const before = latest.get(clock);
  const reckoned = before === undefined ? time : before.time + (noticed - before.noticed);
  if (time < reckoned) return Math.floor(reckoned);
  latest.set(clock, { time, noticed });
  return time;
}

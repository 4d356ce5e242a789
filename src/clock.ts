/** Where an application takes the time from. Tests give one that they move. */
export interface Clock {
  /** The time of day, in whole milliseconds. It goes back when the machine's clock is set back. */
  now(): Date;
  /** Milliseconds since some moment. It never goes back. */
  elapsed(): number;
}

export const SYSTEM_CLOCK: Clock = { now: () => new Date(), elapsed: () => performance.now() };

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

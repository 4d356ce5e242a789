/** Where an application takes the time from. Tests give one that they move. */
export interface Clock {
  /** The time of day, in whole milliseconds. It goes back when the machine's clock is set back. */
  now(): Date;
  /** Milliseconds since some moment. It never goes back. */
  elapsed(): number;
}

export const SYSTEM_CLOCK: Clock = { now: () => new Date(), elapsed: () => performance.now() };

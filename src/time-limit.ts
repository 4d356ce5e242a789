let factor = 1;

/**
 * The time after which this process gives up, for a limit in milliseconds. Tests of other things give every limit
 * more time, so that a loaded machine changes no answer.
 */
export function timeLimit(milliseconds: number): number {
  return milliseconds * factor;
}

/** The factor of all time limits of this process. */
export function timeLimitFactor(): number {
  return factor;
}

/** Only tests change it. */
export function multiplyTimeLimits(by: number): void {
  factor = by;
}

let factor = 1;

/**
 * The time after which this process gives up, for a limit in milliseconds. Tests of other things give every deadline
 * more time, so that a loaded machine changes no answer.
 */
export function deadline(milliseconds: number): number {
  return milliseconds * factor;
}

/** The factor of all deadlines of this process. */
export function deadlineFactor(): number {
  return factor;
}

/** Only tests change it. */
export function multiplyDeadlines(by: number): void {
  factor = by;
}

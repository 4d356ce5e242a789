/**
 * Values counted by ranges. Adding one costs a few nanoseconds; it is made into what a metrics library takes
 * only when somebody asks.
 */
export class Histogram {
  /** Upper ends of the ranges, ascending; above the last there is one more. */
  readonly bounds: readonly number[];
  /** How many values lay in each range, and not in the one before. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  add(value: number): void {
    const { bounds, counts } = this;
    let range = 0;
    while (range < bounds.length && value > (bounds[range] as number)) range++;
    counts[range] = (counts[range] as number) + 1;
    this.sum += value;
  }
}

/** Seconds that a request, a commit or a turn of the event loop may take. */
export const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

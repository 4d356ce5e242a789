/**
 * A histogram in plain numbers. Adding a value takes a few nanoseconds; it is converted for the metrics library only
 * at a scrape.
 */
export class Histogram {
  /** Upper bounds of the buckets, ascending; one more bucket is above the last. */
  readonly bounds: readonly number[];
  /** The number of values in each bucket, not cumulative. */
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

/** Bucket bounds in seconds for requests, commits and turns of the event loop. */
export const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

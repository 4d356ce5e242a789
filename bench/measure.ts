/** Measures once. @throws when any response was wrong: errors must not look like speed */
export type Measure = () => Promise<Sample>;

export interface Sample {
  /** The value in the unit of the row. */
  readonly value: number;
  /** The share of its core that the measured server used, 0 to 1, if the system reports it and it matters. */
  readonly busy?: number | undefined;
  /** The share of requests that were refused. They do not count in the value. */
  readonly refused?: number;
  /** The figures of the further lines, in the order of the row's `aside`. */
  readonly aside?: readonly number[];
}

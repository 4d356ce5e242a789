/** The number of rows with one problem. */
export interface RecordCount {
  readonly n: number;
  /** One of them as an example. */
  readonly example: number | string | null;
}

/** A problem in words, and a row with the number of its records. */
export type RecordProblem = readonly [what: string, counts: readonly RecordCount[]];

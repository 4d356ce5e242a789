/** The number of rows with one problem. */
export interface RecordCount {
  readonly n: number;
  /** One of them, to begin with. */
  readonly example: number | string | null;
}

/** A problem in words, and the one row that counts the records that have it. */
export type RecordProblem = readonly [what: string, counts: readonly RecordCount[]];

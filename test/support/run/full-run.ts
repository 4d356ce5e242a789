import { describe, test } from "bun:test";

/**
 * Whether this is the full run, `npm run test:all`, which tests everything. `npm test` is the short run: it tests
 * each behavior once, and leaves out what only repeats it with more inputs, looks, engines' rows or rounds.
 */
export const isFullRun = Boolean(process.env.TEST_FULL_RUN);

/**
 * The number of rounds of a test whose faults are rare or need rare inputs.
 * @param few in the short run
 * @param many in the full run
 */
export function rounds(few: number, many: number): number {
  return isFullRun ? many : few;
}

/**
 * The cases of a matrix for one of its rows: all in the full run; in the short run one, which changes from row to
 * row, so that every case occurs with some row.
 */
export function casesOf<Case>(cases: readonly Case[], row: number): readonly Case[] {
  return isFullRun ? cases : cases.slice(row % cases.length).slice(0, 1);
}

/** All rows of a table in the full run; in the short one the first of each kind. */
export function oneOfEach<Row>(rows: readonly Row[], kindOf: (row: Row) => string): readonly Row[] {
  return isFullRun ? rows : firstOfEach(rows, kindOf);
}

/** The first row of each kind. */
export function firstOfEach<Row>(rows: readonly Row[], kindOf: (row: Row) => string): readonly Row[] {
  return [...Map.groupBy(rows, kindOf).values()].flatMap((ofKind) => ofKind.slice(0, 1));
}

/** A test of the full run only. A shorter one beside it tests the same behavior in its base form. */
export const fullRunTest = test.skipIf(!isFullRun);

/** Tests of the full run only. */
export const describeFullRun = describe.skipIf(!isFullRun);

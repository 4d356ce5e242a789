import { StatementSync } from "node:sqlite";

/**
 * Counts the steps that SQLite takes in this process while `work` runs: each statement, and each row that one returns.
 * The same work takes the same steps on every machine.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { all, get, run, iterate } = StatementSync.prototype;
  let steps = 0;
  const counted = <Result>(method: (...values: never[]) => Result, rowsOf: (result: Result) => number) =>
    function (this: StatementSync, ...values: never[]): Result {
      const result = method.apply(this, values);
      steps += 1 + rowsOf(result);
      return result;
    };
  const methods = {
    all: counted(all as (...values: never[]) => unknown[], (rows) => rows.length),
    get: counted(get as (...values: never[]) => unknown, () => 1),
    run: counted(run as (...values: never[]) => unknown, () => 0),
    *iterate(this: StatementSync, ...values: never[]) {
      steps++;
      for (const row of (iterate as (...values: never[]) => Iterable<unknown>).apply(this, values)) {
        steps++;
        yield row;
      }
    },
  };
  Object.assign(StatementSync.prototype, methods);
  try {
    await work();
  } finally {
    Object.assign(StatementSync.prototype, { all, get, run, iterate });
  }
  return steps;
}

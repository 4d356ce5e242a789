import type { Awaitable } from "../../awaitable.ts";
import type { Database, Sql } from "../database.ts";
import type { QueuedMethods, QueueEstimates } from "../queue-estimates.ts";

/**
 * SQLite writes all that wait in one go, during which nobody else is even heard: each piece of work makes its
 * own batch longer and the wait for it. The fsync does not count, as it takes its time for one as for all. What
 * is read is there at once.
 */
export function estimateSqliteQueues(database: Database, { writes }: QueueEstimates): QueuedMethods {
  return {
    write: <T>(work: (sql: Sql) => Awaitable<T>) =>
      writes.join(
        database.write(async (sql) => {
          const began = performance.now();
          const result = await work(sql);
          writes.note(2 * (performance.now() - began));
          return result;
        }),
      ),
  };
}

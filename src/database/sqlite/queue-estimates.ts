import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Database, Sql } from "../database.ts";
import type { QueuedMethods, QueueEstimates } from "../load/queue-estimates.ts";

/**
 * SQLite commits all waiting writes in one batch, which blocks the event loop: each write makes its batch longer.
 * The fsync does not count, since it takes the same time for one write as for many. Reads never wait.
 */
export function estimateSqliteQueues(database: Database, { writes }: QueueEstimates): QueuedMethods {
  return {
    write: <T>(work: (sql: Sql) => Awaitable<T>) =>
      writes.join(() =>
        database.write((sql) => {
          const began = performance.now();
          return thenSync(work(sql), (result) => {
            writes.note(2 * (performance.now() - began));
            return result;
          });
        }),
      ),
  };
}

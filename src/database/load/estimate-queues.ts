import type { Database } from "../database.ts";
import { estimatePostgresQueues } from "../postgres/queue-estimates.ts";
import { estimateSqliteQueues } from "../sqlite/queue-estimates.ts";
import { QueueEstimate } from "./queue-estimate.ts";
import type { QueueEstimates } from "./queue-estimates.ts";

/**
 * Wraps a database so that its queues of reads and writes can be estimated.
 * @param connections the maximum number of connections, on PostgreSQL
 */
export function withQueueEstimates(
  database: Database,
  { connections, minAdmitted }: { readonly connections: number; readonly minAdmitted: number },
): { database: Database; queues: QueueEstimates } {
  const queues: QueueEstimates = {
    reads: new QueueEstimate("reads", minAdmitted),
    writes: new QueueEstimate("writes", minAdmitted),
  };
  const measured =
    database.engine === "sqlite"
      ? estimateSqliteQueues(database, queues)
      : estimatePostgresQueues(database, queues, connections);
  return { queues, database: { ...delegated(database), ...measured } };
}

function delegated(database: Database): Database {
  return {
    engine: database.engine,
    epoch: database.epoch,
    location: database.location,
    read: database.read,
    stamp: () => database.stamp(),
    stampNow: () => database.stampNow(),
    write: (work) => database.write(work),
    derive: (work, options) => database.derive(work, options),
    readApart: (deadline) => database.readApart(deadline),
    ...(database.runApart && { runApart: database.runApart.bind(database) }),
    snapshot: (work) => database.snapshot(work),
    ready: () => database.ready(),
    state: () => database.state(),
    close: () => database.close(),
  };
}

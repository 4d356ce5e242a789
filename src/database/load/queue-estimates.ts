import type { Database } from "../database.ts";
import type { QueueEstimate } from "./queue-estimate.ts";

/** The queues of requests that wait for a database. */
export interface QueueEstimates {
  readonly reads: QueueEstimate;
  readonly writes: QueueEstimate;
}

/** The methods of a database that are wrapped to measure its queues. */
export type QueuedMethods = Pick<Database, "write"> & Partial<Pick<Database, "read">>;

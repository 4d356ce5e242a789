import type { Database } from "./database.ts";
import type { QueueEstimate } from "./queue-estimate.ts";

/** What waits for a database. */
export interface QueueEstimates {
  readonly reads: QueueEstimate;
  readonly writes: QueueEstimate;
}

/** What of a database is replaced to count who waits for it. */
export type QueuedMethods = Pick<Database, "write"> & Partial<Pick<Database, "read">>;

import type { Database } from "./database.ts";
import type { Backlog } from "./queue-estimate.ts";

/** What waits for a database. */
export interface Backlogs {
  readonly reads: Backlog;
  readonly writes: Backlog;
}

/** What of a database is replaced to count who waits for it. */
export type Counted = Pick<Database, "write"> & Partial<Pick<Database, "read">>;

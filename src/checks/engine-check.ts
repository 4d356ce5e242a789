import type { Sql } from "../database/database.ts";
import type { Fragment } from "../database/fragment.ts";
import type { Inspection } from "../database/inspection.ts";
import type { RecordProblem } from "../kept/kept.ts";
import type { Finding } from "./finding.ts";

/** The parts of checks that differ between engines. */
export interface EngineChecks {
  /** File permissions, where the database is a file. */
  files(inspection: Inspection): Finding[];

  /** Integrity of the stored data, and settings that endanger durability. */
  integrity(inspection: Inspection): Promise<Finding[]>;

  /** SQL for the `name` of each `column table.column` and each `index name`. */
  readonly namesQuery: string;

  /** SQL for `name` and `sql` of each object, where the engine stores definitions as written. */
  readonly definitionsQuery?: string;

  /** Rows that this engine's schema accepts and the other's rejects. */
  records(inspection: Inspection): Promise<RecordProblem[]>;

  /** The last id assigned by a table, 0 before the first one. */
  lastId(inspection: Inspection, table: string): Promise<number>;

  /** SQL for the number of posts (`n`) per `day` (`YYYY-MM-DD`, UTC) and `list` (`posts` or `drafts`). */
  readonly postsByDay: Fragment;

  /** Waits for transactions that change counted records, and blocks new ones until this transaction ends. */
  holdStill(sql: Sql): Promise<void>;

  /** The database server's time, in milliseconds since 1970. */
  serverTime(inspection: Inspection): Promise<number | undefined>;
}

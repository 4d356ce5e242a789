import type { Sql } from "../database/database.ts";
import type { Fragment } from "../database/fragment.ts";
import type { Inspection } from "../database/inspection.ts";
import type { Finding } from "./finding.ts";
import type { RecordProblem } from "./record-problem.ts";

/** What checks ask each engine in words of its own. */
export interface EngineChecks {
  /** Who can read the files of the database, where this program keeps them. */
  files(inspection: Inspection): Finding[];

  /** Whether what the engine has stored is in order, and stays stored once it is confirmed. */
  integrity(inspection: Inspection): Promise<Finding[]>;

  /** A statement for the `name` of each `column table.column` and each `index name`. */
  readonly schema: string;

  /** A statement for `name` and `sql` of what there is, where the engine keeps a definition as it was written. */
  readonly definitions?: string;

  /** Rows that the schema of this engine lets through, and that of the other does not. */
  records(inspection: Inspection): Promise<RecordProblem[]>;

  /** The last id that a table has given, 0 before the first one. */
  lastId(inspection: Inspection, table: string): Promise<number>;

  /** A statement for how many posts (`n`) each `day` (`YYYY-MM-DD`, UTC) of a `list` has, `posts` or `drafts`. */
  readonly postsByDay: Fragment;

  /** Lets whoever is changing what counters count come to an end, and nobody else begin before the transaction ends. */
  holdStill(sql: Sql): Promise<void>;

  /** What the clock of a database server says, in milliseconds since 1970. */
  serverTime(inspection: Inspection): Promise<number | undefined>;
}

import type { Database } from "./database.ts";
import { countPostgres } from "./postgres/queue-estimates.ts";
import { Backlog } from "./queue-estimate.ts";
import type { Backlogs } from "./queue-estimates.ts";
import { countSqlite } from "./sqlite/queue-estimates.ts";

/**
 * The same database, and what waits for it.
 * @param connections how many there are at most, when it is PostgreSQL
 */
export function withBacklogs(
  database: Database,
  { connections, few }: { readonly connections: number; readonly few: number },
): { database: Database; backlogs: Backlogs } {
  const backlogs: Backlogs = { reads: new Backlog(few), writes: new Backlog(few) };
  const counted =
    database.engine === "sqlite"
      ? countSqlite(database, backlogs)
      : countPostgres(database, backlogs, connections);
  return { backlogs, database: { ...delegated(database), ...counted } };
}

function delegated(database: Database): Database {
  return {
    engine: database.engine,
    epoch: database.epoch,
    location: database.location,
    read: database.read,
    stamp: () => database.stamp(),
    write: (work) => database.write(work),
    ready: () => database.ready(),
    state: () => database.state(),
    close: () => database.close(),
  };
}

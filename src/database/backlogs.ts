import { Backlog } from "./backlog.ts";
import type { Database } from "./database.ts";
import { countPostgres } from "./postgres-backlogs.ts";
import { countSqlite } from "./sqlite-backlogs.ts";

/** What waits for a database. */
export interface Backlogs {
  readonly reads: Backlog;
  readonly writes: Backlog;
}

/** What of a database is replaced to count who waits for it. */
export type Counted = Pick<Database, "write"> & Partial<Pick<Database, "read">>;

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

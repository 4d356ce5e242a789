import { type Clock, SYSTEM_CLOCK } from "../clock.ts";
import { limits } from "../limits.ts";
import type { Log } from "../log.ts";
import { timeLimit } from "../time-limit.ts";
import type { Database, DatabaseObserver } from "./database.ts";
import { sqlitePathOf } from "./database-url.ts";
import type { PostgresOptions } from "./postgres/pool.ts";
import type { Schema } from "./schema/schema.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

export interface OpenOptions extends PostgresOptions {
  /** Whether a missing SQLite database is an error instead of being created. */
  readonly mustExist: boolean;
  /** The machine's by default; another one is for tests. */
  readonly clock: Clock;
  readonly observer?: DatabaseObserver | undefined;
  /** Logs problems of the database that are not part of a request. */
  readonly log?: Log | undefined;
  /** Whether nothing is written, by choice: `READ_ONLY`. */
  readonly isReadOnly?: boolean | undefined;
  /** That of this program by default; another one is for tests. */
  readonly schema?: Schema | undefined;
  /** Called with each error of a read or write that met damage; SQLite only. */
  readonly onDamage?: ((error: unknown) => void) | undefined;
  /** Whether this process serves requests: then slow work runs in a thread. */
  readonly servesRequests?: boolean | undefined;
}

function defaults(): OpenOptions {
  return {
    mustExist: false,
    clock: SYSTEM_CLOCK,
    // Enough for a command, which does one thing after the other. The driver opens them all at once.
    poolSize: 4,
    connectTimeout: timeLimit(limits().connectTimeout),
    statementTimeout: timeLimit(limits().statementTimeout),
  };
}

/**
 * Opens the database that `url` names, creating it or bringing it up to date where needed.
 *
 * @param url `sqlite:` and a path, relative to the working folder or absolute; or `postgres://…`
 * @throws StartError when it cannot be opened, with the reason in one line.
 */
export async function openDatabase(url: string, given: Partial<OpenOptions> = {}): Promise<Database> {
  const options = { ...defaults(), ...given };
  const path = sqlitePathOf(url);
  if (path !== undefined) return openSqlite(path, options);
  // Imported on demand, so that starting on SQLite does not pay for it.
  const { openPostgres } = await import("./postgres/postgres.ts");
  return openPostgres(url, options);
}

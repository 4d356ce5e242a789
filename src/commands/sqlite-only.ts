import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { sqlitePathOf } from "../database/database-url.ts";
import { StartError } from "../errors.ts";
import { type DatabaseFlags, databaseUrlOf } from "./with-database.ts";

/**
 * The file of the database that the settings name, for commands that know only that engine.
 * @param instead what does the same for the other engine
 * @throws StartError when it is on the other engine
 */
export function sqliteFile(flags: DatabaseFlags, instead: string): string {
  const path = sqlitePathOf(databaseUrlOf(flags));
  if (path !== undefined) return realPath(path);
  throw new StartError(
    `DATABASE_URL names a PostgreSQL database: use ${instead} (docs/operations.md shows how).`,
    2,
  );
}

/** Where a file really lies: what SQLite keeps beside it lies there too, not beside a symbolic link to it. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { sqlitePathOf } from "../../database/database-url.ts";
import { StartError } from "../../errors.ts";
import { type DatabaseFlags, databaseUrlOf } from "../with-database.ts";

/**
 * The file of the configured database, for commands that support SQLite only.
 * @param instead the PostgreSQL tool that does the same
 * @throws StartError when the database is on PostgreSQL
 */
export function sqliteFile(flags: DatabaseFlags, instead: string): string {
  const path = sqlitePathOf(databaseUrlOf(flags));
  if (path !== undefined) return realPath(path);
  throw new StartError(
    `DATABASE_URL names a PostgreSQL database: use ${instead} (docs/operations.md shows how).`,
    2,
  );
}

/** Resolves symbolic links: SQLite keeps its side files next to the real file. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

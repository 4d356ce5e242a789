import { sqlitePathOf } from "./database-url.ts";
import type { Inspection } from "./inspection.ts";
import { inspectSqlite } from "./sqlite/inspection.ts";

/**
 * Opens the database that `url` names as it is.
 * @throws StartError when it is not there, cannot be opened, or is another program's
 */
export async function inspectDatabase(url: string): Promise<Inspection> {
  const path = sqlitePathOf(url);
  if (path !== undefined) return inspectSqlite(path);
  const { inspectPostgres } = await import("./postgres/inspection.ts");
  return inspectPostgres(url);
}

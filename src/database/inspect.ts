import { sqlitePathOf } from "./database-url.ts";
import type { Inspection } from "./inspection.ts";
import { inspectSqlite } from "./sqlite/inspection.ts";

/**
 * Opens a database read-only, without migrating it.
 * @throws StartError when it does not exist, cannot be opened, or belongs to another program
 */
export async function inspectDatabase(url: string): Promise<Inspection> {
  const path = sqlitePathOf(url);
  if (path !== undefined) return inspectSqlite(path);
  const { inspectPostgres } = await import("./postgres/inspection.ts");
  return inspectPostgres(url);
}

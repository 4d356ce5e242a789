import { sqlitePathOf } from "./database-url.ts";
import type { Inspection } from "./inspection.ts";
import { inspectSqlite } from "./sqlite/inspection.ts";

/**
 * Opens a database read-only.
 * @param purpose for the operator of PostgreSQL, who sees it as the name of the connection
 * @throws StartError when it does not exist, cannot be opened, or belongs to another program
 */
export async function inspectDatabase(url: string, purpose = "check"): Promise<Inspection> {
  const path = sqlitePathOf(url);
  if (path !== undefined) return inspectSqlite(path);
  const { inspectPostgres } = await import("./postgres/inspection.ts");
  return inspectPostgres(url, purpose);
}

import type { Database } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";

/** Opens a database that a server uses, like another process. The caller closes it. */
export function openBeside(databaseUrl: string): Promise<Database> {
  return openDatabase(databaseUrl);
}

import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";

/** Opens a database beside the server that uses it, as another process would; the caller closes it. */
export function openBeside(databaseUrl: string): Promise<Database> {
  return openDatabase(databaseUrl);
}

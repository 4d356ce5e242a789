import { Option } from "commander";
import { readSetting, settings } from "../config.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";

export interface DatabaseFlags {
  readonly databaseUrl?: string;
}

/** The flag of every command that works on the database without a server. */
export function databaseOption(): Option {
  return new Option("--database-url <url>", `${settings.databaseUrl.meaning} (DATABASE_URL)`);
}

/**
 * The URL of the database that a command works on: from its flag, else from the settings.
 * @throws StartError as `readSetting`
 */
export function databaseUrlOf({ databaseUrl }: DatabaseFlags): string {
  return readSetting("databaseUrl", process.env, databaseUrl ? { databaseUrl } : {});
}

/**
 * Opens the database of a command while `work` runs.
 * @param create whether a missing database is created instead of being an error
 */
export async function withDatabase<T>(
  flags: DatabaseFlags,
  work: (database: Database) => Promise<T>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<T> {
  const database = await openDatabase(databaseUrlOf(flags), { mustExist: !create });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

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
 * Opens the database that the settings name, for as long as `work` takes.
 * @param create whether it is made when it is not there
 */
export async function withDatabase<T>(
  { databaseUrl }: DatabaseFlags,
  { create }: { readonly create: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const url = readSetting("databaseUrl", process.env, databaseUrl ? { databaseUrl } : {});
  const database = await openDatabase(url, { mustExist: !create });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

import { existsSync } from "node:fs";
import { Option } from "commander";
import { settings } from "../config/config.ts";
import { readSetting } from "../config/read-config.ts";
import type { Database } from "../database/database.ts";
import { sqlitePathOf } from "../database/database-url.ts";
import { openDatabase } from "../database/open.ts";
import { printable } from "../printable.ts";
import { printRemark } from "./terminal/print.ts";

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
  const url = databaseUrlOf(flags);
  const database = create ? await openOrCreate(url) : await openDatabase(url, { mustExist: true });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Opens a database. Reports when it creates one, since that may be the wrong folder. */
export async function openOrCreate(url: string): Promise<Database> {
  const isNew = isDatabaseFileMissing(url);
  const database = await openDatabase(url);
  if (isNew) printRemark(`Created a new database: ${printable(database.location)}`);
  return database;
}

/** Whether a URL names a file that does not exist. */
export function isDatabaseFileMissing(url: string): boolean {
  const path = sqlitePathOf(url);
  return path !== undefined && !existsSync(path);
}

import { resolve } from "node:path";
import { readSetting } from "../config.ts";
import { StartError } from "../errors.ts";
import type { DatabaseFlags } from "./with-database.ts";

/**
 * The file of the database that the settings name, for commands that know only that engine.
 * @param instead what does the same for the other engine
 * @throws StartError when it is on the other engine
 */
export function sqliteFile({ databaseUrl }: DatabaseFlags, instead: string): string {
  const url = readSetting("databaseUrl", process.env, databaseUrl ? { databaseUrl } : {});
  if (url.startsWith("sqlite:")) return resolve(url.slice("sqlite:".length));
  throw new StartError(
    `DATABASE_URL names a PostgreSQL database: use ${instead} (docs/operations.md shows how).`,
    2,
  );
}

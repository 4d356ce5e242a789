import { resolve } from "node:path";
import { sqlitePathOf } from "../database-url.ts";
import type { Source, Target } from "./endpoint.ts";
import { openSqliteSource } from "./sqlite-source.ts";
import { makeSqliteTarget } from "./sqlite-target.ts";

/** What a endpoint is called in messages and kept as: never with a user or a password. */
export async function locationOf(url: string): Promise<string> {
  const path = sqlitePathOf(url);
  return path === undefined
    ? (await import("../postgres/postgres.ts")).locationOf(url)
    : `sqlite:${resolve(path)}`;
}

/**
 * Opens the database that `url` names, and lets nobody else write to it until it is closed.
 * @throws StartError when it cannot be used, or is none of ours
 */
export async function openSource(url: string): Promise<Source> {
  const path = sqlitePathOf(url);
  // Loaded when it is wanted, so that the embedded database does not pay for it.
  if (path === undefined) return (await import("./postgres-source.ts")).openPostgresSource(url);
  return openSqliteSource(path);
}

/**
 * Makes a database where `url` says, with these migrations, to be filled.
 * @throws StartError when it cannot be used, or is not empty
 */
export async function makeTarget(url: string, migrations: readonly number[]): Promise<Target> {
  const path = sqlitePathOf(url);
  if (path === undefined) return (await import("./postgres-target.ts")).makePostgresTarget(url, migrations);
  return makeSqliteTarget(path, migrations);
}

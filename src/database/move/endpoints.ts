import { resolve } from "node:path";
import { sqlitePathOf } from "../database-url.ts";
import { locationOf as postgresLocationOf } from "../postgres/location.ts";
import type { Source, Target } from "./endpoint.ts";
import { openSqliteSource } from "./sqlite-source.ts";
import { makeSqliteTarget } from "./sqlite-target.ts";

/** The name of a database in messages and records, without user and password. */
export function locationOf(url: string): string {
  const path = sqlitePathOf(url);
  return path === undefined ? postgresLocationOf(url) : `sqlite:${resolve(path)}`;
}

/**
 * Opens a database as a source; nobody else can write to it until it is closed.
 * @throws StartError when it cannot be used, or belongs to another program
 */
export async function openSource(url: string): Promise<Source> {
  const path = sqlitePathOf(url);
  // Imported on demand, so that a move between SQLite files does not pay for it.
  if (path === undefined) return (await import("./postgres-source.ts")).openPostgresSource(url);
  return openSqliteSource(path);
}

/**
 * Creates the target database.
 * @throws StartError when it cannot be used, or is not empty
 */
export async function makeTarget(url: string): Promise<Target> {
  const path = sqlitePathOf(url);
  if (path === undefined) return (await import("./postgres-target.ts")).makePostgresTarget(url);
  return makeSqliteTarget(path);
}

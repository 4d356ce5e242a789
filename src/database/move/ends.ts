import { resolve } from "node:path";
import { sqlitePathOf } from "../database-url.ts";
import { locationOf as postgresLocationOf } from "../postgres/location.ts";
import type { Source, Target } from "./endpoint.ts";

/**
 * Opens a database as a source.
 * @throws StartError when it cannot be used, is in use, or belongs to another program
 */
export async function openSource(url: string): Promise<Source> {
  const path = sqlitePathOf(url);
  return path === undefined
    ? (await import("./postgres-ends.ts")).openPostgresSource(url)
    : (await import("./sqlite-ends.ts")).openSqliteSource(path);
}

/**
 * Creates the target database.
 * @throws StartError when it cannot be used, or is not empty
 */
export async function makeTarget(url: string): Promise<Target> {
  const path = sqlitePathOf(url);
  return path === undefined
    ? (await import("./postgres-ends.ts")).makePostgresTarget(url)
    : (await import("./sqlite-ends.ts")).makeSqliteTarget(path);
}

/** The name of a database in messages and records, without user and password. */
export function locationOf(url: string): string {
  const path = sqlitePathOf(url);
  return path === undefined ? postgresLocationOf(url) : `sqlite:${resolve(path)}`;
}

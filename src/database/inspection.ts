import type { Awaitable } from "../awaitable.ts";
import { StartError } from "../errors.ts";
import type { Database, Sql } from "./database.ts";
import { inspectSqlite } from "./sqlite-inspection.ts";

/** A database as it is at one moment, for looking at: nothing is migrated, made or changed. */
export interface Inspection {
  readonly engine: Database["engine"];
  /** As {@link Database.location}. */
  readonly location: string;
  /** Reads at the one moment, however many statements. */
  readonly sql: Sql;
  /** The same for statements that are put together, without values. */
  raw(statement: string): Awaitable<Record<string, unknown>[]>;
  /** Runs a piece of work whose failure leaves the others able to go on. */
  apart<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Opens the database that `url` names as it is.
 * @throws StartError when it is not there, cannot be opened, or is another program's
 */
export async function inspectDatabase(url: string): Promise<Inspection> {
  if (url.startsWith("sqlite:")) return inspectSqlite(url.slice("sqlite:".length));
  if (/^postgres(?:ql)?:/.test(url)) {
    const { inspectPostgres } = await import("./postgres-inspection.ts");
    return inspectPostgres(url);
  }
  throw new StartError("DATABASE_URL: expected sqlite:PATH or postgres://…", 2);
}

import type { Awaitable } from "../awaitable.ts";
import type { Database, Sql } from "./database.ts";

/** A read-only snapshot of a database: nothing is created or changed. */
export interface Inspection {
  readonly engine: Database["engine"];
  /** As {@link Database.location}. */
  readonly location: string;
  /** Reads from the snapshot. */
  readonly sql: Sql;
  /** The same for a statement composed at run time, without values. */
  raw(statement: string): Awaitable<Record<string, unknown>[]>;
  /** Runs `work` so that its failure does not break the snapshot's transaction. */
  apart<T>(work: () => Promise<T>): Promise<T>;
  /** Whether an error says that a page of the database is damaged. */
  isDamage(error: unknown): boolean;
  close(): Promise<void>;
}

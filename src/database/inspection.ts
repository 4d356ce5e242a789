import type { Awaitable } from "../awaitable.ts";
import type { Database, Sql } from "./database.ts";

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

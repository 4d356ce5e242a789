import { postgresDatabase } from "../../postgres.ts";
import type { Figure, Goal, Row } from "../../row.ts";
import type { Stage } from "../../stage.ts";

type Engine = "SQLite" | "PostgreSQL";

/** A collection to search, on one engine. */
export interface Searched {
  readonly engine: Engine;
  readonly count: number;
  /** The prefix of the rows' names. */
  readonly prefix: string;
  readonly group: Row["group"];
}

export const HUNDRED_THOUSAND = 100_000;

/** A database of a row. @param isRead whether the row only reads it */
export function databaseOn(
  engine: Engine,
  stage: Stage,
  set: Parameters<Stage["database"]>[0],
  isRead = false,
): Promise<string> {
  if (engine === "PostgreSQL") return postgresDatabase(stage.cores, set, isRead);
  return isRead ? stage.sharedDatabase(set) : stage.database(set);
}

export function aside(name: string, figure: string, unit: Figure["unit"], goal?: Goal): Figure {
  return { name, figure, unit, ...(goal && { goal }) };
}

import { statementsIn } from "../schema/statements.ts";
import text from "./from-73274df2.sql" with { type: "text" };

/**
 * The statements that fill the tables of the schema from those of an earlier database.
 * @param old the schema in which the earlier tables are, as SQL
 */
export function carryingStatements(old: string): string[] {
  return statementsIn(text.replace(/\bold\.(?=\w)/g, `${old}.`));
}

/** The tables that are read. */
export const EARLIER_TABLES: readonly string[] = [
  ...new Set([...text.matchAll(/\bold\.(\w+)/g)].map(([, name = ""]) => name)),
];

/** The table that had the ids of `changes`. */
export const EARLIER_CHANGES = "undo_records";

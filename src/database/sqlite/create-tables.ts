import type { DatabaseSync } from "node:sqlite";
import { factsOfNew, SCHEMA } from "../schema/schema.ts";

/** Makes the tables of a new database, in the caller's transaction. */
export function createTables(connection: DatabaseSync): void {
  for (const statement of SCHEMA.sqlite) connection.exec(statement);
  const insert = connection.prepare("insert into meta (name, value) values (?, ?)");
  for (const fact of factsOfNew()) insert.run(...fact);
}

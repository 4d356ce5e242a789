import type { DatabaseSync } from "node:sqlite";
import { factsOfNew, type Schema } from "../schema/schema.ts";

/** Makes the tables of a new database, in the caller's transaction. */
export function createTables(connection: DatabaseSync, schema: Schema): void {
  for (const statement of schema.sqlite) connection.exec(statement);
  const insert = connection.prepare("insert into meta (name, value) values (?, ?)");
  for (const fact of factsOfNew(schema)) insert.run(...fact);
}

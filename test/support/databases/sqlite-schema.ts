import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../../src/database/open.ts";
import { temporaryFolder } from "../server/server.ts";

let schema: Promise<Buffer> | undefined;

/** Writes a SQLite database with the current schema, no records and a new epoch. */
export async function copySchemaTo(path: string): Promise<void> {
  schema ??= makeSchema();
  writeFileSync(path, await schema, { mode: 0o600 });
  const database = new DatabaseSync(path);
  database.exec("update meta set value = lower(hex(randomblob(4))) where name = 'epoch'");
  database.close();
}

async function makeSchema(): Promise<Buffer> {
  using folder = temporaryFolder();
  const path = folder.file("schema.db");
  await (await openDatabase(`sqlite:${path}`)).close();
  return readFileSync(path);
}

import { Command } from "commander";
import { compactSqlite } from "../../database/sqlite/compact.ts";
import { sizeOf } from "../../database/sqlite/file.ts";
import { printable } from "../../printable.ts";
import { type DatabaseFlags, databaseOption } from "../with-database.ts";
import { lowerPriority } from "./lower-priority.ts";
import { sqliteFile } from "./sqlite-only.ts";

/** `commonplace compact`: exit code 1 when the database is as it was, 2 for a usage error. */
export function compactCommand(): Command {
  return new Command("compact")
    .description("Return the space of deleted records to the file system. The server may be running.")
    .addOption(databaseOption())
    .action(compact);
}

async function compact(flags: DatabaseFlags): Promise<void> {
  const database = sqliteFile(flags, "vacuum full");
  lowerPriority();
  const before = sizeOf(database);
  const after = await compactSqlite(database);
  console.log(
    `Compacted ${printable(database)}: ${megabytes(before)} MB before, ${megabytes(after)} MB now.`,
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

import { expect } from "bun:test";
import { DatabaseSync } from "node:sqlite";

/** Checks that a database file is whole, as SQLite itself sees it. */
export function checkIntegrity(path: string): void {
  const database = new DatabaseSync(path);
  try {
    expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  } finally {
    database.close();
  }
}

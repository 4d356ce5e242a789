import { expect } from "bun:test";
import { DatabaseSync } from "node:sqlite";

/** Runs SQLite's integrity check on a database file. */
export function checkIntegrity(path: string): void {
  const database = new DatabaseSync(path);
  try {
    expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  } finally {
    database.close();
  }
}

import type { Database, Sql } from "./database.ts";
import { lockKey } from "./postgres/key-lock.ts";

/**
 * Holds a key until the end of a write transaction: of those that hold the same key, in any process, each sees what the
 * ones before it have written. For a rule that no unique index keeps. To be called first in the transaction.
 */
export async function holdKey({ engine }: Pick<Database, "engine">, sql: Sql, key: string): Promise<void> {
  // SQLite has one writer at a time.
  if (engine === "postgres") await lockKey(sql, key);
}

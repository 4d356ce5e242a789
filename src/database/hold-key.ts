import type { Database, Sql } from "./database.ts";
import { lockKey } from "./postgres/key-lock.ts";

/**
 * Locks a key until the end of a write transaction, so that transactions with the same key run one after the other, in any
 * process. For a rule that no unique index enforces. Call it first in the transaction.
 */
export async function holdKey({ engine }: Pick<Database, "engine">, sql: Sql, key: string): Promise<void> {
  // SQLite has one writer at a time.
  if (engine === "postgres") await lockKey(sql, key);
}

import type { Sql } from "./database.ts";

/**
 * Locks a key until the end of a write transaction, so that transactions with the same key run one after the other, in any
 * process. For a rule that no unique index enforces. Call it first in the transaction.
 */
export async function holdKey(sql: Sql, key: string): Promise<void> {
  // SQLite has one writer at a time.
  if (sql.engine === "sqlite") return;
  // A transaction that inserts the same name waits for the end of this transaction. As it deletes the row, nobody ever sees it.
  const name = `lock:${key}`;
  await sql`insert into meta (name, value) values (${name}, '')`;
  await sql`delete from meta where name = ${name}`;
}

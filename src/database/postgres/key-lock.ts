import type { Sql } from "../database.ts";

/** The class of these advisory locks: "keys" in ASCII. */
const KEYS = 0x6b657973;

/** Waits until no other transaction holds the key. */
export async function lockKey(sql: Sql, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${KEYS}, hashtext(${key}))`;
}

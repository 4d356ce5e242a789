import { type Awaitable, thenSync } from "../awaitable.ts";
import { type Sql, withoutResult } from "./database.ts";

/**
 * Adds to a counter, in the transaction that changes the counted records. A transaction that adds to several
 * counters does so last and in the order of their names, so that two transactions never deadlock.
 */
export function addToCounter(sql: Sql, name: string, n: number): Awaitable<void> {
  const added = withoutResult(sql)`
    insert into counters (name, slot, n) values (${name}, ${sql.slot}, ${n})
    on conflict (name, slot) do update set n = counters.n + excluded.n`;
  return thenSync(added, nothing);
}

/** Locks a counter until the end of the transaction. Call it before reading the counter. */
export async function lockCounter(sql: Sql, name: string): Promise<void> {
  await sql`
    insert into counters (name, slot, n) values (${name}, 0, 0)
    on conflict (name, slot) do update set n = counters.n`;
}

/** The exact value of a counter: the sum of its slots. */
export async function sumOfCounter(sql: Sql, name: string): Promise<number> {
  const [row] = await sql<{ n: number }>`select coalesce(sum(n), 0) as n from counters where name = ${name}`;
  return Number(row?.n);
}

function nothing(): void {}

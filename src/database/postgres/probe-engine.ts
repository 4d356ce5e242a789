import { LockTimeout } from "../errors.ts";
import type { PostgresPool } from "./pool.ts";
import { countCommit, sumOfCommits } from "./stamp.ts";
import { inTransaction } from "./transaction.ts";

/**
 * Tries on two connections what every response relies on. Nothing is left behind but a
 * higher count of commits.
 * @returns what the engine lacks; undefined where nothing is missing
 */
export async function probeEngine(writer: PostgresPool, reader: PostgresPool): Promise<string | undefined> {
  const before = await sumOfCommits(reader);
  const slot = await inTransaction(writer, (sql) => {
    countCommit(sql);
    return sql.slot;
  });
  if ((await sumOfCommits(reader)) === before)
    return "a read does not see what another connection has committed";
  if (!(await rollsBack(writer, reader))) return "a transaction that is rolled back leaves rows";
  if (!(await excludes(writer, reader, slot)))
    return "a row that one transaction has locked can be locked by another";
  return undefined;
}

async function rollsBack(writer: PostgresPool, reader: PostgresPool): Promise<boolean> {
  // A slot of no connection.
  const slot = -1 - Math.floor(Math.random() * 2 ** 30);
  const end = new Error("rolled back");
  await inTransaction(writer, async (sql) => {
    await sql`insert into commits (slot, n) values (${slot}, 0)`;
    throw end;
  }).catch((error) => {
    if (error !== end) throw error;
  });
  const left = await reader.query`select n from commits where slot = ${slot}`;
  return left.length === 0;
}

function excludes(writer: PostgresPool, reader: PostgresPool, slot: number): Promise<boolean> {
  return inTransaction(writer, async (sql) => {
    await sql`select n from commits where slot = ${slot} for update`;
    const locked = inTransaction(
      reader,
      (other) => other`select n from commits where slot = ${slot} for update nowait`,
    );
    return locked.then(
      () => false,
      (error) => {
        if (error instanceof LockTimeout) return true;
        throw error;
      },
    );
  });
}

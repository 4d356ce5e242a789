import type { SQL } from "bun";
import { StartError } from "../../errors.ts";
import type { Sql } from "../database.ts";
import type { Bound } from "../fragment.ts";
import type { Inspection } from "../inspection.ts";
import { connect } from "./connect.ts";
import { isDamage } from "./errors.ts";
import { findHost } from "./hosts.ts";
import { locationOf } from "./location.ts";
import { send } from "./pool.ts";
import { whyUnusable } from "./why-unusable.ts";

/** Connection timeout, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;

/**
 * Opens a snapshot of a PostgreSQL database: one read-only transaction, without time limits.
 * @throws StartError as `inspectDatabase`
 */
export async function inspectPostgres(url: string, purpose: string): Promise<Inspection> {
  const location = locationOf(url);
  let client: SQL | undefined;
  try {
    const pool = connect(await findHost(url), {
      max: 1,
      connectTimeout: CONNECT_TIMEOUT,
      settings: {
        application_name: `commonplace ${purpose}`,
        statement_timeout: 0,
        idle_in_transaction_session_timeout: 0,
      },
    });
    client = pool;
    const connection = await pool.reserve();
    await connection.unsafe("begin isolation level repeatable read read only");
    const [ours] = await connection.unsafe("select to_regclass('meta') is not null as ours");
    if (!ours?.ours) throw new StartError(`${location} is not a Commonplace database.`, 1);
    const sql = <Row>(text: TemplateStringsArray, ...values: Bound[]) =>
      send<Row>(connection, text, values) as Promise<Row[]>;
    return {
      engine: "postgres",
      location,
      sql: Object.assign(sql, { engine: "postgres" as const, slot: 0 }) as Sql,
      raw: (statement) => connection.unsafe(statement),
      async apart(work) {
        await connection.unsafe("savepoint apart");
        try {
          return await work();
        } finally {
          // Nothing was changed, so the savepoint is rolled back in either case.
          await connection.unsafe("rollback to apart");
        }
      },
      isDamage,
      async close() {
        connection.release();
        await pool.close({ timeout: 0 });
      },
    };
  } catch (error) {
    await client?.close({ timeout: 0 });
    if (error instanceof StartError) throw error;
    throw new StartError(
      `DATABASE_URL: ${location} cannot be used: ${await whyUnusable(url, error)}.`,
      1,
      error,
    );
  }
}

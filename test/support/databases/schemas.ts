import { SQL } from "bun";
import { openDatabase } from "../../../src/database/open.ts";
import type { Engine, TestDatabase } from "../server/engines.ts";

/**
 * A PostgreSQL database that is there already, with a schema for each test: the layout of many sites in one cluster.
 * With Citus, each schema is placed on a worker (schema-based sharding).
 * @param url of the database, for a role that may create schemas
 */
export function schemasEngine(url: string): Engine {
  let made = 0;

  async function createEmptyDatabase(): Promise<TestDatabase> {
    const schema = `test_${process.pid}_${++made}`;
    await administer(async (sql) => {
      await sql.unsafe(`create schema ${schema}`);
      const [citus] = await sql`select 1 from pg_extension where extname = 'citus'`;
      if (citus !== undefined) await sql`select citus_schema_distribute(${schema}::text::regnamespace)`;
    });
    const of = new URL(url);
    of.searchParams.set("schema", schema);
    return {
      url: of.href,
      [Symbol.asyncDispose]: () =>
        administer(async (sql) => {
          await sql.unsafe(`drop schema ${schema} cascade`);
        }),
    };
  }

  async function administer(action: (sql: SQL) => Promise<void>): Promise<void> {
    await using sql = new SQL({ url, max: 1 });
    await action(sql);
  }

  return {
    name: "PostgreSQL, in schemas",
    async createDatabase() {
      const database = await createEmptyDatabase();
      await (await openDatabase(database.url)).close();
      return database;
    },
    createEmptyDatabase,
  };
}

import type { Database, Sql } from "../../database/database.ts";
import { Fragment } from "../../database/fragment.ts";
import { SCHEMA } from "../../database/schema/schema.ts";
import { ENTRIES_OF_ALL } from "../../database/schema/search-entries.ts";
import { tablesIn, withoutComments } from "../../database/schema/statements.ts";

/** The tables and indexes of the index among those of the schema. */
const STATEMENTS: Readonly<Record<Database["engine"], readonly string[]>> = {
  sqlite: SCHEMA.sqlite.filter(isOfIndex),
  postgres: SCHEMA.postgres.filter(isOfIndex),
};

/** The names of the tables of the index. */
export const INDEX_TABLE_NAMES = {
  sqlite: tablesIn(STATEMENTS.sqlite),
  postgres: tablesIn(STATEMENTS.postgres),
} as const;

/**
 * Makes the index again, with an entry for each record, whose words a job indexes.
 * @param isDamaged whether its pages are damaged
 */
export async function recreateTables(sql: Sql, isDamaged: boolean): Promise<void> {
  const { engine } = sql;
  if (isDamaged && sql.abandonTables) sql.abandonTables("search_");
  else for (const name of INDEX_TABLE_NAMES[engine]) await run(sql, `drop table if exists ${name}`);
  for (const statement of [...STATEMENTS[engine], ...ENTRIES_OF_ALL[engine]]) await run(sql, statement);
}

async function run(sql: Sql, statement: string): Promise<void> {
  await sql`${new Fragment([statement], [])}`;
}

function isOfIndex(statement: string): boolean {
  return /^create (?:virtual )?(?:table|index) search_/.test(withoutComments(statement));
}

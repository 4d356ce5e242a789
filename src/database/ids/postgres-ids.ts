import type { Sql } from "../database.ts";
import { Fragment } from "../fragment.ts";
import type { EngineIds, NeededIds } from "./engine-ids.ts";

interface Last {
  readonly last: number;
}

/** A name of the schema. @param table of the program's own, never from a file */
function named(table: string, suffix: "" | "_id_seq" = ""): Fragment {
  if (!/^[a-z_]+$/.test(table)) throw new Error(`${table} is no table`);
  return new Fragment([table + suffix], []);
}

export const postgresIds: EngineIds = {
  // A transaction for each table, so that it never waits for one while it holds another.
  async reserve(database, needs) {
    const reserved = new Map<string, number>();
    for (const [table, needed] of needs) {
      // The ids of most files are lower than those assigned here, and cannot be kept.
      if (needed.highest === 0) continue;
      const before = await database.write((sql) => reserveIn(sql, table, needed));
      if (before !== undefined) reserved.set(table, before);
    }
    return reserved;
  },

  last: lastId,

  async insertOne(sql, insert) {
    const [row] = await sql<{ id: number }>`${insert} returning id`;
    return Number(row?.id);
  },

  async draw(sql, table, count) {
    const rows = await sql<{ id: number }>`
      select nextval(cast(cast(${`${table}_id_seq`} as text) as regclass)) as id from generate_series(1, ${count})`;
    return rows.map(({ id }) => Number(id));
  },

  // The ids are drawn or reserved.
  advance: async () => {},
};

/**
 * A sequence waits for nobody: nobody may insert while it is read and set. That takes milliseconds, since the ids are used in
 * another transaction; those that it does not use are never assigned.
 */
async function reserveIn(sql: Sql, table: string, needed: NeededIds): Promise<number | undefined> {
  if (needed.highest <= (await lastId(sql, table))) return undefined;
  await sql`lock table ${named(table)} in share row exclusive mode`;
  const before = await lastId(sql, table);
  await sql`
    select setval(cast(cast(${`${table}_id_seq`} as text) as regclass), ${needed.lastAfter(before)})`;
  return before;
}

/** If a sequence was set and not used yet, `last_value` is the next id. */
async function lastId(sql: Sql, table: string): Promise<number> {
  const [row] = await sql<Last>`
    select last_value - case when is_called then 0 else 1 end as last from ${named(table, "_id_seq")}`;
  return Number(row?.last);
}

import type { Sql } from "../database.ts";
import type { EngineIds, TableWithIds } from "./engine-ids.ts";

interface Last {
  readonly last: number;
}

/** While a sequence is unused since it was set, `last_value` is its next id. */
const sequences: Readonly<Record<TableWithIds, (sql: Sql) => ReturnType<typeof sql<Last>>>> = {
  bookmarks: (sql) =>
    sql`select last_value - case when is_called then 0 else 1 end as last from bookmarks_id_seq`,
  posts: (sql) => sql`select last_value - case when is_called then 0 else 1 end as last from posts_id_seq`,
  comments: (sql) =>
    sql`select last_value - case when is_called then 0 else 1 end as last from comments_id_seq`,
  tags: (sql) => sql`select last_value - case when is_called then 0 else 1 end as last from tags_id_seq`,
};

export const postgresIds: EngineIds = {
  async hold(sql) {
    await sql`lock table bookmarks, posts, comments, tags in share row exclusive mode`;
  },

  async last(sql, table) {
    const [row] = await sequences[table](sql);
    return Number(row?.last);
  },

  // Not rolled back with the transaction: then some ids are never assigned.
  async advance(sql, table, last) {
    await sql`select setval(cast(cast(${`${table}_id_seq`} as text) as regclass), ${last})`;
  },
};

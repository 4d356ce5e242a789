import { fragment } from "../../database/fragment.ts";
import type { EngineChecks } from "../engine-check.ts";
import { checkPostgresIntegrity } from "./postgres-integrity.ts";

/** The checks of PostgreSQL. */
export const postgresChecks: EngineChecks = {
  // The server's files are out of reach.
  files: () => [],

  integrity: checkPostgresIntegrity,

  namesQuery: `
    select 'column ' || table_name || '.' || column_name as name
      from information_schema.columns where table_schema = current_schema()
    union all select 'index ' || indexname from pg_indexes where schemaname = current_schema()`,

  records: async () => [],

  async lastId({ raw }, table) {
    const [sequence] = await raw(`select pg_get_serial_sequence('${table}', 'id') as name`);
    // A sequence that was set and not used yet: `last_value` is the next id.
    const [row] = await raw(
      `select last_value - case when is_called then 0 else 1 end as last from ${sequence?.name}`,
    );
    return Number(row?.last);
  },

  postsByDay: fragment`
    select case when published then 'posts' else 'drafts' end as list,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as n
    from posts group by 1, 2`,

  async holdStill(sql) {
    await sql`lock table bookmarks, comments, posts in share mode`;
  },

  async serverTime({ raw }) {
    const [row] = await raw("select clock_timestamp() as now");
    return Number(new Date(row?.now as Date));
  },
};

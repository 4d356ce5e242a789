import { fragment } from "../database/fragment.ts";
import type { Inspection } from "../database/inspection.ts";
import type { EngineChecks } from "./engine-check.ts";
import { type Finding, problemsOr } from "./finding.ts";

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

/** Settings that can lose confirmed writes (postgresql.org/docs/current/runtime-config-wal.html). */
const DURABILITY = ["fsync", "full_page_writes", "synchronous_commit"];

/** Checks a PostgreSQL server's durability settings, indexes and constraints. */
async function checkPostgresIntegrity(inspection: Inspection): Promise<Finding[]> {
  const { raw } = inspection;
  const problems: string[] = [];
  for (const setting of DURABILITY) {
    const [row] = await raw(`select current_setting('${setting}') as value`);
    if (row?.value === "off") problems.push(`${setting} is off: a crash can lose confirmed writes`);
  }
  const indexes = await raw(`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and not (i.indisvalid and i.indisready)`);
  problems.push(...indexes.map(({ name }) => `index ${name} is not valid (reindex index ${name})`));
  const constraints = await raw(`
    select conname as name, conrelid::regclass::text as place from pg_constraint
    where connamespace = current_schema()::regnamespace and not convalidated`);
  problems.push(...constraints.map(({ name, place }) => `constraint ${name} of ${place} is not validated`));
  const [checksums] = await raw(
    "select coalesce(checksum_failures, 0) as n from pg_stat_database where datname = current_database()",
  );
  if (Number(checksums?.n) > 0) problems.push(`${checksums?.n} pages had wrong checksums`);
  const trees = await checkTrees(inspection);
  const well = trees === undefined ? "indexes and constraints are valid" : "indexes match their tables";
  return [
    ...problemsOr("integrity", [...problems, ...(trees ?? [])], well),
    ...(trees === undefined ? [AMCHECK] : []),
  ];
}

const AMCHECK: Finding = {
  check: "integrity",
  status: "note",
  detail: "install the amcheck extension, and grant its use, to compare indexes with their tables too",
};

/** Compares each index with its table, where the extension amcheck is installed and permitted. */
async function checkTrees({ raw, apart }: Inspection): Promise<string[] | undefined> {
  const [there] = await raw("select count(*) as n from pg_extension where extname = 'amcheck'");
  if (Number(there?.n) === 0) return undefined;
  const indexes = await raw(`
    select i.indexrelid::regclass::text as name from pg_index i
      join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where c.relnamespace = current_schema()::regnamespace and a.amname = 'btree' and i.indisvalid`);
  const problems: string[] = [];
  for (const { name } of indexes) {
    const problem = await apart(async () => raw(`select bt_index_check('${name}'::regclass, true)`)).then(
      () => undefined,
      (error) => error,
    );
    if (isForbidden(problem)) return undefined;
    if (problem !== undefined) problems.push(`index ${name}: ${problem.message}`);
  }
  return problems;
}

/** Whether the role lacks the permission (SQLSTATE 42501), which only superusers have by default. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && "errno" in error && error.errno === "42501";
}

import { fragment } from "../../database/fragment.ts";
import type { Inspection } from "../../database/inspection.ts";
import { findDamage } from "../../database/sqlite/soundness.ts";
import type { EngineChecks } from "../engine-check.ts";
import { type Finding, problemsOr } from "../finding.ts";
import type { RecordCount, RecordProblem } from "../record-problem.ts";
import { checkSqliteFiles } from "./sqlite-files.ts";

/** The checks of SQLite. */
export const sqliteChecks: EngineChecks = {
  files: ({ location }) => checkSqliteFiles(location),

  integrity: checkIntegrity,

  namesQuery: `
    select 'column ' || t.name || '.' || c.name as name from sqlite_schema t, pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite~_%' escape '~'
        and t.name not like 'search~_%' escape '~'
    union all select 'index ' || name from sqlite_schema where type = 'index' and sql is not null
      and name not like 'search~_%' escape '~'`,

  definitionsQuery: `
    select name, sql from sqlite_schema
    where type in ('table', 'index', 'trigger') and name not like 'sqlite~_%' escape '~'`,

  records: zeroCharacters,

  async lastId({ raw }, table) {
    const [row] = await raw(`select seq from sqlite_sequence where name = '${table}'`);
    return Number(row?.seq ?? 0);
  },

  postsByDay: fragment`
    select case when published = 1 then 'posts' else 'drafts' end as list,
      strftime('%Y-%m-%d', created_at / 1000, 'unixepoch') as day, count(*) as n
    from posts group by 1, 2`,

  // SQLite has one writer at a time.
  holdStill: async () => {},

  // There is no server with a clock of its own.
  serverTime: async () => undefined,
};

async function checkIntegrity({ raw }: Inspection): Promise<Finding[]> {
  const damage = await findDamage(async (statement) => raw(statement));
  return problemsOr("integrity", damage, "pages, indexes, values and foreign keys are valid");
}

/** Texts with U+0000, at which some of SQLite's interfaces stop reading. PostgreSQL cannot store them. */
async function zeroCharacters({ raw }: Inspection): Promise<RecordProblem[]> {
  const texts = {
    bookmarks: ["title", "url", "description"],
    posts: ["title", "content"],
    comments: ["author", "text"],
  };
  const problems: RecordProblem[] = [];
  for (const [table, columns] of Object.entries(texts)) {
    const conditions = columns.map((column) => `instr(cast(${column} as blob), x'00') > 0`).join(" or ");
    const rows = await raw(`select count(*) as n, min(id) as example from ${table} where ${conditions}`);
    problems.push([`${table} with U+0000 in a text`, rows as unknown as RecordCount[]]);
  }
  return problems;
}

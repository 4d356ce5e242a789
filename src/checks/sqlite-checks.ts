import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { fragment } from "../database/fragment.ts";
import type { Inspection } from "../database/inspection.ts";
import { SIDE_FILES } from "../database/sqlite/file.ts";
import { findDamage } from "../database/sqlite/soundness.ts";
import type { RecordCount, RecordProblem } from "../kept/kept.ts";
import type { EngineChecks } from "./engine-check.ts";
import { type Finding, problemsOr } from "./finding.ts";
import { damagedIndex } from "./search-check.ts";

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
  const { records, indexes, search, unusedPages } = await findDamage(async (statement) => raw(statement));
  const well =
    search.length > 0
      ? "records and their indexes are valid"
      : "pages, indexes, values and foreign keys are valid";
  const ofIndexes = indexes.map((detail) => `${detail} (${REPAIR})`);
  return [
    ...(records.length > 0
      ? problemsOr("integrity", records, well)
      : problemsOr("integrity", ofIndexes, well, "damaged-indexes")),
    ...search.map((detail): Finding => {
      return { check: "search", status: "problem", detail: damagedIndex(detail), repair: "search" };
    }),
    ...(unusedPages === 0 ? [] : [unused(unusedPages)]),
  ];
}

function unused(pages: number): Finding {
  return {
    check: "integrity",
    status: "note",
    detail: `${pages} pages of a search index that was damaged are unused ("commonplace compact" returns their room)`,
  };
}

const REPAIR =
  'all records are whole; with the server stopped, "commonplace check --repair" makes their indexes again';

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

/** Permission bits of group and others, and the write bits among them. */
const GROUP_OR_OTHERS = 0o077;
const GROUP_OR_OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Checks that only the owner can read a SQLite database or replace it. The files are not opened.
 */
function checkSqliteFiles(given: string): Finding[] {
  const location = realpathSync(given);
  const folder = dirname(location);
  const findings = [location, ...SIDE_FILES.map((end) => location + end)].flatMap(checkFile);
  const { mode } = statSync(folder);
  if ((mode & GROUP_OR_OTHERS_WRITE) !== 0 && (mode & STICKY) === 0)
    findings.push(problem(`${folder} has mode ${octal(mode)}: others can replace the database (chmod 700)`));
  else if ((mode & GROUP_OR_OTHERS) !== 0)
    findings.push(
      note(
        `${folder} has mode ${octal(mode)}: others can list its files, but not read them (700 is stricter)`,
      ),
    );
  if (findings.some(({ status }) => status === "problem")) return findings;
  return [{ check: "files", status: "ok", detail: "only the owner can read them" }, ...findings];
}

function checkFile(path: string): Finding[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const findings: Finding[] = [];
  if ((stats.mode & GROUP_OR_OTHERS) !== 0)
    findings.push(problem(`${path} has mode ${octal(stats.mode)}: others can read it (chmod 600)`));
  if (!isOurs(stats))
    findings.push(
      note(`${path} belongs to user ${stats.uid}, but the current user is ${process.getuid?.()}`),
    );
  return findings;
}

function isOurs({ uid }: Stats): boolean {
  const user = process.getuid?.();
  return user === undefined || user === 0 || user === uid;
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(3, "0");
}

function problem(detail: string): Finding {
  return { check: "files", status: "problem", detail };
}

function note(detail: string): Finding {
  return { check: "files", status: "note", detail };
}

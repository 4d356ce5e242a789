import { DatabaseSync } from "node:sqlite";
import type { Database, Sql } from "../database/database.ts";
import { Fragment } from "../database/fragment.ts";
import type { Inspection } from "../database/inspection.ts";
import { MOVED_TO } from "../database/moved.ts";
import { type FoundSchema, findSchema, SCHEMA } from "../database/schema/schema.ts";
import { definitionOf, withoutComments } from "../database/schema/statements.ts";
import { StartError } from "../errors.ts";
import { checksByEngine } from "./checks-by-engine.ts";
import { type Finding, problemsOr } from "./finding.ts";
import { sqliteChecks } from "./sqlite-checks.ts";

/** Which schema the database has. @throws StartError for one that this program cannot use */
export function schemaOf({ engine, raw }: Inspection): Promise<FoundSchema> {
  return findSchema(engine, raw, { isMovedFine: true });
}

/**
 * Compares the schema with that of this program: tables, columns and indexes by name on both engines; on SQLite also the
 * definitions of the tables.
 */
export async function checkSchema(inspection: Inspection): Promise<Finding[]> {
  const { sql } = inspection;
  const found = await schemaOf(inspection).catch((error) => {
    if (error instanceof StartError) return error;
    throw error;
  });
  if (found instanceof StartError) return [{ check: "schema", status: "problem", detail: found.message }];
  if (found === "behind")
    return [
      note("it is that of an earlier version: a server of this version upgrades the database when it starts"),
    ];
  const [moved] = await sql<{ value: string }>`select value from meta where name = ${MOVED_TO}`;
  const [epoch] = await sql<{ value: string }>`select value from meta where name = 'epoch'`;
  const problems = [
    ...(epoch === undefined || epoch.value === "" ? ["the epoch is missing"] : []),
    ...(await missing(inspection)),
  ];
  // An index of a table that is missing is missing, too.
  const onlyIndexes = problems.length > 0 && problems.every((problem) => MISSING_INDEX.test(problem));
  const repair = onlyIndexes ? "missing-indexes" : undefined;
  return [
    ...problemsOr(
      "schema",
      problems.map((problem) =>
        onlyIndexes ? `${problem} ("commonplace check --repair" makes it again)` : problem,
      ),
      "every table, column and index is there",
      repair,
    ),
    ...(moved === undefined ? [] : [note(`it was moved to ${moved.value} and is read-only`)]),
  ];
}

const MISSING_INDEX = /^index (\w+) is missing/;

/** Makes the indexes that are missing, from the schema. @returns their names */
export async function createMissingIndexes(database: Database): Promise<string[]> {
  return database.write(async (sql) => {
    const { engine } = sql;
    if (engine === "postgres") await sql`select set_config('statement_timeout', '0', true)`;
    const rows = await run(sql, checksByEngine[engine].namesQuery);
    const found = new Set(rows.map(({ name }) => name));
    const names: string[] = [];
    for (const statement of SCHEMA[engine]) {
      const [, name = ""] = /^create (?:unique )?index (\w+)/.exec(withoutComments(statement)) ?? [];
      if (name === "" || name.startsWith("search_") || found.has(`index ${name}`)) continue;
      await run(sql, statement);
      names.push(name);
    }
    return names;
  });
}

async function run(sql: Sql, statement: string): Promise<Record<string, unknown>[]> {
  return sql`${new Fragment([statement], [])}`;
}

/** An empty database with the schema of this program. Both engines have the same names. */
export function openModel(): DatabaseSync {
  const model = new DatabaseSync(":memory:");
  for (const statement of SCHEMA.sqlite) model.exec(statement);
  return model;
}

function note(detail: string): Finding {
  return { check: "schema", status: "note", detail };
}

async function missing({ engine, raw }: Inspection): Promise<string[]> {
  using model = openModel();
  const { namesQuery, definitionsQuery } = checksByEngine[engine];
  const found = new Set((await raw(namesQuery)).map(({ name }) => name));
  const problems = model
    .prepare(sqliteChecks.namesQuery)
    .all()
    .filter(({ name }) => !found.has(name))
    .map(({ name }) => `${name} is missing`);
  if (definitionsQuery === undefined || problems.length > 0) return problems;
  const written = new Map(
    (await raw(definitionsQuery)).map(({ name, sql }) => [name, definitionOf(String(sql))]),
  );
  return model
    .prepare(definitionsQuery)
    .all()
    .filter(({ name, sql }) => written.get(name) !== definitionOf(String(sql)))
    .map(({ name }) => `${name} has a different definition than in this program`);
}

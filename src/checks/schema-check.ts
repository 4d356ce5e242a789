import { DatabaseSync } from "node:sqlite";
import type { Inspection } from "../database/inspection.ts";
import { isOlderThan, type Migration } from "../database/migrate.ts";
import { sqliteMigrations } from "../database/migrations/sqlite.ts";
import { MOVED_TO } from "../database/moved.ts";
import { VERSION } from "../version.ts";
import { checksByEngine } from "./checks-by-engine.ts";
import { type Finding, problemsOr } from "./finding.ts";
import { sqliteChecks } from "./sqlite/sqlite-checks.ts";

/**
 * Compares the schema with the result of the known migrations: tables, columns and indexes by name on both engines;
 * on SQLite also the definitions of the tables.
 */
export async function checkSchema(inspection: Inspection): Promise<Finding[]> {
  const { sql } = inspection;
  const applied = await sql<{ number: number; name: string }>`select number, name from migrations`;
  const names = new Map(applied.map(({ number, name }) => [Number(number), name]));
  const [oldest] = await sql<{ value: string }>`select value from meta where name = 'oldest_program'`;
  const [moved] = await sql<{ value: string }>`select value from meta where name = ${MOVED_TO}`;
  const [epoch] = await sql<{ value: string }>`select value from meta where name = 'epoch'`;

  const known = sqliteMigrations.filter(({ number }) => names.has(number));
  const pending = sqliteMigrations.filter(({ number }) => !names.has(number));
  const last = known.at(-1)?.number ?? 0;
  const problems = [
    ...pending.filter(({ number }) => number < last).map(({ number }) => `migration ${number} is missing`),
    ...known
      .filter(({ number, name }) => names.get(number) !== name)
      .map(
        ({ number, name }) =>
          `migration ${number} is ${names.get(number)} in the database, but ${name} in this program`,
      ),
    ...(oldest === undefined ? ["the required program version is missing"] : []),
    ...(oldest !== undefined && isOlderThan(oldest.value)
      ? [`requires commonplace ${oldest.value} or later; this is ${VERSION}`]
      : []),
    ...(epoch === undefined || epoch.value === "" ? ["the epoch is missing"] : []),
    ...(await missing(inspection, known, names.size === known.length)),
  ];
  const newer = applied.length - known.length;
  return [
    ...problemsOr("schema", problems, `version ${Math.max(0, ...names.keys())}`),
    ...notesIf(newer > 0, `a newer version has extended it (${newer}); this version still works with it`),
    ...notesIf(moved !== undefined, `it was moved to ${moved?.value} and is read-only`),
    ...notesIf(
      pending.length > 0,
      `${pending.map(({ name }) => name).join(", ")} pending: the server migrates the database when it starts`,
    ),
  ];
}

function notesIf(isSo: boolean, detail: string): Finding[] {
  return isSo ? [{ check: "schema", status: "note", detail }] : [];
}

async function missing(
  { engine, raw }: Inspection,
  migrations: readonly Migration[],
  isKnown: boolean,
): Promise<string[]> {
  using model = new DatabaseSync(":memory:");
  for (const { script } of migrations) model.exec(script);
  const { namesQuery, definitionsQuery } = checksByEngine[engine];
  const found = new Set((await raw(namesQuery)).map(({ name }) => name));
  const problems = model
    .prepare(sqliteChecks.namesQuery)
    .all()
    .filter(({ name }) => !found.has(name))
    .map(({ name }) => `${name} is missing`);
  if (definitionsQuery === undefined || !isKnown || problems.length > 0) return problems;
  const written = new Map((await raw(definitionsQuery)).map(({ name, sql }) => [name, sql]));
  return model
    .prepare(definitionsQuery)
    .all()
    .filter(({ name, sql }) => written.get(name) !== sql)
    .map(({ name }) => `${name} has a different definition than in this program`);
}

import { randomBytes } from "node:crypto";
import type { Awaitable } from "../../awaitable.ts";
import { Refusal, StartError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import type { Database, Sql } from "../database.ts";
import { MOVED_TO, refuseMoved } from "../moved.ts";
import postgresSchema from "./postgres.sql" with { type: "text" };
import sqliteSchema from "./sqlite.sql" with { type: "text" };
import { statementsIn } from "./statements.ts";
import { STEPS, type Step } from "./steps/steps.ts";

/** The tables and indexes of a program. */
export interface Schema {
  /** The statements that make those of a new database, in order. */
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
  /** What brings a database of each earlier schema to the same. */
  readonly steps: readonly Step[];
}

/** The schema of this program. Text imports, so that a one-file build has them. */
export const SCHEMA: Schema = {
  sqlite: statementsIn(sqliteSchema),
  postgres: statementsIn(postgresSchema),
  steps: STEPS,
};

/** The row of `meta` that names the schema of the database: its last step. */
const SCHEMA_ROW = "schema";

/** The name of the first schema, that of commit fa370e7d. */
export const FIRST_SCHEMA = "c9d1512a6b3c";

/** The name of a schema on both engines. */
export function nameOf({ steps }: Pick<Schema, "steps">): string {
  return steps.at(-1)?.name ?? FIRST_SCHEMA;
}

/**
 * The row of `meta` that names the program whose servers write the database. Another program may not keep all counters, so
 * after its writes they are counted again.
 */
export const WRITTEN_BY = "written_by";

/** The value of {@link WRITTEN_BY} of this program. */
export const PROGRAM = programWith(SCHEMA);

function programWith(schema: Schema): string {
  return `${VERSION}+${nameOf(schema)}`;
}

/** The rows of `meta` in a new database. */
export function factsOfNew(schema: Schema): [name: string, value: string][] {
  return [
    ["epoch", randomBytes(4).toString("hex")],
    [SCHEMA_ROW, nameOf(schema)],
    [WRITTEN_BY, programWith(schema)],
  ];
}

/** `none`: a new database; `behind`: one of an earlier schema, to which steps lead. */
export type FoundSchema = "none" | "current" | "behind";

/** Queries the names of all tables. */
const TABLES: Readonly<Record<Database["engine"], string>> = {
  sqlite: "select name from sqlite_schema where type = 'table'",
  postgres:
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')",
};

/** Runs one statement that reads. */
type Query = (statement: string) => Awaitable<Record<string, unknown>[]>;

export interface FindOptions {
  /** The database in error messages. */
  readonly name?: string;
  /** Whether it may have been moved away. */
  readonly isMovedFine?: boolean;
  readonly schema?: Schema | undefined;
}

/**
 * Which schema a database has.
 * @throws StartError when this program cannot use the database
 */
export async function findSchema(
  engine: Database["engine"],
  query: Query,
  { name = "The database", isMovedFine = false, schema = SCHEMA }: FindOptions = {},
): Promise<FoundSchema> {
  const tables = new Set((await query(TABLES[engine])).map((row) => row.name));
  if (!tables.has("meta")) return "none";
  const meta = new Map(
    (await query("select name, value from meta")).map((row) => [String(row.name), String(row.value)]),
  );
  if (!isMovedFine) refuseMoved(meta);
  const found = meta.get(SCHEMA_ROW);
  if (found === undefined)
    throw new StartError(
      `${name} is of commit 73274df2 or another one before commit fa370e7d, which takes that of 73274df2 along: start fa370e7d with it once, then this version.`,
      2,
    );
  const steps = stepsAfter(found, schema);
  if (steps === undefined) throw new StartError(`${name} has ${otherSchema(found, schema)}`, 2);
  return steps.length === 0 ? "current" : "behind";
}

/**
 * The steps that a database lacks, in order.
 * @param found the name of its schema
 * @returns undefined for a schema that is not among those of this program
 */
export function stepsAfter(found: string, { steps }: Schema): readonly Step[] | undefined {
  if (found === FIRST_SCHEMA) return steps;
  const index = steps.findIndex(({ name }) => name === found);
  return index < 0 ? undefined : steps.slice(index + 1);
}

/** @param found the name of a schema that this program does not know */
function otherSchema(found: string, schema: Schema): string {
  const isNewer = /^\d{4}-/.test(found) && Number.parseInt(found, 10) > schema.steps.length + 1;
  return isNewer
    ? `the schema of a newer version of Commonplace (${found}; this one has ${nameOf(schema)}): start that version, or restore a backup from before it.`
    : `the schema of another version of Commonplace (${found}; this one has ${nameOf(schema)}): start that version.`;
}

/** Reads the name of a database's schema. */
export const SCHEMA_QUERY = `select value from meta where name = '${SCHEMA_ROW}'`;

/** Names the schema that a database has now. */
export function nameStatement(schema: Schema): string {
  return `update meta set value = '${nameOf(schema)}' where name = '${SCHEMA_ROW}'`;
}

/**
 * Checks, while the database is in use, that it still has the schema of this program and was not moved away.
 * @throws Refusal `unavailable`
 */
export async function checkSchema(sql: Sql, schema: Schema): Promise<void> {
  const rows = await factsOf(sql).catch((cause) => {
    throw cause instanceof Refusal ? cause : unusable(OF_OTHER_VERSION, cause);
  });
  if (rows.some(({ name }) => name === MOVED_TO)) throw unusable(MOVED);
  if (rows[0]?.value !== nameOf(schema)) throw unusable(OF_OTHER_VERSION);
}

async function factsOf(sql: Sql): Promise<{ name: string; value: string }[]> {
  return sql`select name, value from meta where name in (${SCHEMA_ROW}, ${MOVED_TO})`;
}

const OF_OTHER_VERSION = "This version of Commonplace cannot use the database.";
const MOVED = "The database was moved: start the server with the new one.";

function unusable(detail: string, cause?: unknown): Refusal {
  return new Refusal("unavailable", detail, { retryAfter: 30, cause });
}

import { createHash, randomBytes } from "node:crypto";
import type { Awaitable } from "../../awaitable.ts";
import { Refusal, StartError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import type { Database, Sql } from "../database.ts";
import { MOVED_TO, refuseMoved } from "../moved.ts";
import postgresSchema from "./postgres.sql" with { type: "text" };
import sqliteSchema from "./sqlite.sql" with { type: "text" };
import { statementsIn, withoutComments } from "./statements.ts";

/** The statements that make the tables and indexes of a new database, in order. Text imports, so that a one-file build has them. */
export const SCHEMA = { sqlite: statementsIn(sqliteSchema), postgres: statementsIn(postgresSchema) } as const;

/** The row of `meta` that names the schema of the database. */
const SCHEMA_ROW = "schema";

/** Identifies the schema of this program, on both engines; comments do not count. */
export const SCHEMA_ID = createHash("sha256")
  .update([...SCHEMA.sqlite, ...SCHEMA.postgres].map(withoutComments).join(";\n"))
  .digest("hex")
  .slice(0, 12);

/**
 * The row of `meta` that names the program whose servers write the database. Another program may not keep all counters, so
 * after its writes they are counted again.
 */
export const WRITTEN_BY = "written_by";

/** The value of {@link WRITTEN_BY} of this program. */
export const PROGRAM = `${VERSION}+${SCHEMA_ID}`;

/** The rows of `meta` in a new database. */
export function factsOfNew(): [name: string, value: string][] {
  return [
    ["epoch", randomBytes(4).toString("hex")],
    [SCHEMA_ROW, SCHEMA_ID],
    [WRITTEN_BY, PROGRAM],
  ];
}

/** The rows of `meta` that an upgraded database gets besides those of the earlier one. Its counters are counted again. */
export function factsOfUpgraded(): [name: string, value: string][] {
  return [[SCHEMA_ROW, SCHEMA_ID]];
}

/** The migrations of commit 73274df2, the last before there was one schema: its databases are upgraded. */
const OF_73274DF2 =
  "foundation accounts posts import-undo search tags site jobs publications media comment-reasons uploads-and-feeds " +
  "list-totals search-index searchable-post-tags imported-posts content-keys clients toolbar-folders background-imports " +
  "published-links theme-and-comment-feeds smaller-search-index cheaper-marks";

/** `none`: a new database; `earlier`: that of commit 73274df2. */
export type FoundSchema = "none" | "current" | "earlier";

/** Queries the names of all tables. */
const TABLES: Readonly<Record<Database["engine"], string>> = {
  sqlite: "select name from sqlite_schema where type = 'table'",
  postgres:
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')",
};

/** Runs one statement that reads. */
type Query = (statement: string) => Awaitable<Record<string, unknown>[]>;

/**
 * Which schema a database has.
 * @param name the database in error messages
 * @param isMovedFine whether it may have been moved away
 * @throws StartError when this program cannot use the database
 */
export async function findSchema(
  engine: Database["engine"],
  query: Query,
  {
    name = "The database",
    isMovedFine = false,
  }: { readonly name?: string; readonly isMovedFine?: boolean } = {},
): Promise<FoundSchema> {
  const tables = new Set((await query(TABLES[engine])).map((row) => row.name));
  if (!tables.has("meta")) return "none";
  const meta = new Map(
    (await query("select name, value from meta")).map((row) => [String(row.name), String(row.value)]),
  );
  if (!isMovedFine) refuseMoved(meta);
  const schema = meta.get(SCHEMA_ROW);
  if (schema === SCHEMA_ID) return "current";
  if (schema !== undefined)
    throw new StartError(
      `${name} has the schema of another version of Commonplace (${schema}; this one has ${SCHEMA_ID}): start that version.`,
      2,
    );
  const steps = tables.has("migrations")
    ? (await query("select name from migrations order by number")).map((row) => row.name)
    : [];
  if (steps.join(" ") === OF_73274DF2) return "earlier";
  throw new StartError(
    `${name} was made by a development version (its last change: ${steps.at(-1) ?? "unknown"}); only databases of commit 73274df2 can be upgraded.`,
    2,
  );
}

/**
 * Checks, while the database is in use, that it still has the schema of this program and was not moved away.
 * @throws Refusal `unavailable`
 */
export async function checkSchema(sql: Sql): Promise<void> {
  const rows = await factsOf(sql).catch((cause) => {
    throw cause instanceof Refusal ? cause : unusable(OF_OTHER_VERSION, cause);
  });
  if (rows.some(({ name }) => name === MOVED_TO)) throw unusable(MOVED);
  if (rows[0]?.value !== SCHEMA_ID) throw unusable(OF_OTHER_VERSION);
}

async function factsOf(sql: Sql): Promise<{ name: string; value: string }[]> {
  return sql`select name, value from meta where name in (${SCHEMA_ROW}, ${MOVED_TO})`;
}

const OF_OTHER_VERSION = "This version of Commonplace cannot use the database.";
const MOVED = "The database was moved: start the server with the new one.";

function unusable(detail: string, cause?: unknown): Refusal {
  return new Refusal("unavailable", detail, { retryAfter: 30, cause });
}

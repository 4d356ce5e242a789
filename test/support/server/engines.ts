import { test } from "bun:test";
import {
  embeddedPostgres,
  postgresEngine,
  postgresSchemaEngine,
  systemPostgres,
} from "../databases/postgres.ts";
import { schemasEngine } from "../databases/schemas.ts";
import { copySchemaTo } from "../databases/sqlite-schema.ts";
import { temporaryFolder } from "./server.ts";

/** A database for one test, without records. It is removed at the end. */
export interface TestDatabase extends AsyncDisposable {
  /** The value of DATABASE_URL. */
  readonly url: string;
}

/** A database engine on which the contract is tested. */
export interface Engine {
  readonly name: string;
  /** Environment variables of every server on it. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Makes a database with the current schema: a copy, since making its tables takes ten times as long. */
  createDatabase(): Promise<TestDatabase>;
  /** Makes a database without a schema, as in a new installation. */
  createEmptyDatabase(): Promise<TestDatabase>;
}

const sqlite: Engine = {
  name: "SQLite",
  async createDatabase() {
    const folder = temporaryFolder();
    await copySchemaTo(folder.file(FILE));
    return sqliteIn(folder);
  },
  createEmptyDatabase: async () => sqliteIn(temporaryFolder()),
};

const FILE = "commonplace.db";

function sqliteIn(folder: ReturnType<typeof temporaryFolder>): TestDatabase {
  return {
    url: `sqlite:${folder.file(FILE)}`,
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}

const postgres = postgresEngine(embeddedPostgres);
const inSchema = postgresSchemaEngine(embeddedPostgres);

/** The database that TEST_IN_SCHEMAS names, such as that of a cluster: each test has a schema of it. */
const elsewhere = process.env.TEST_IN_SCHEMAS;

/** Every engine, or SQLite alone in those files of `npm test` for which that is enough (`test/support/run/tiers.ts`). */
export const engines: readonly Engine[] =
  elsewhere !== undefined
    ? [schemasEngine(elsewhere)]
    : process.env.TEST_ENGINES === sqlite.name
      ? [sqlite]
      : [sqlite, postgres, ...systemEngine()];

/**
 * The engines on which each contract suite runs. In the full run, PostgreSQL has the site in a schema beside another site: the
 * usual place is that of `npm test`, and of a file that is named.
 */
export const contractEngines: readonly Engine[] = [
  ...engines.map((engine) => (process.env.TEST_FULL_RUN && engine === postgres ? inSchema : engine)),
  ...workersEngine(),
];

/**
 * `test` for what no engine does in a way of its own: `npm test` has it on the first engine alone. A file that is named
 * runs whole on each.
 */
export function onceOn(engine: Engine): typeof test {
  return engine === engines[0] || !process.env.TEST_ONCE ? test : test.skip;
}

/** SQLite behind two server processes, if TEST_SQLITE_WORKERS is set. */
function workersEngine(): Engine[] {
  if (!process.env.TEST_SQLITE_WORKERS) return [];
  return [{ ...sqlite, name: "SQLite, two workers", settings: { WORKERS: "2" } }];
}

/** The system's PostgreSQL, usually an older version, if TEST_SYSTEM_POSTGRES is set. */
function systemEngine(): Engine[] {
  if (!process.env.TEST_SYSTEM_POSTGRES) return [];
  if (systemPostgres === undefined) throw new Error("TEST_SYSTEM_POSTGRES: no PostgreSQL is installed here.");
  return [postgresEngine(systemPostgres)];
}

import { embeddedPostgres, postgresEngine, systemPostgres } from "./postgres.ts";
import { temporaryFolder } from "./server.ts";
import { copySchemaTo } from "./sqlite-schema.ts";

/** A database of its own for one test, without a record and gone at the end. */
export interface TestDatabase extends AsyncDisposable {
  /** The value of DATABASE_URL. */
  readonly url: string;
}

/** A database engine that the contract holds on. */
export interface Engine {
  readonly name: string;
  /** Environment variables of every server on it. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A database with the schema of this version: a copy, since making each anew takes ten times as long. */
  createDatabase(): Promise<TestDatabase>;
  /** A database without a schema, as a new installation has it. */
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

/** Every engine. */
export const engines: readonly Engine[] = [sqlite, postgresEngine(embeddedPostgres), ...systemEngine()];

/** What each suite of the contract runs on. */
export const contractEngines: readonly Engine[] = [...engines, ...workersEngine()];

/** SQLite behind two server processes, when TEST_SQLITE_WORKERS asks for it. */
function workersEngine(): Engine[] {
  if (!process.env.TEST_SQLITE_WORKERS) return [];
  return [{ ...sqlite, name: "SQLite, two workers", settings: { WORKERS: "2" } }];
}

/** The PostgreSQL of the system, an older version as a rule, when TEST_SYSTEM_POSTGRES asks for it. */
function systemEngine(): Engine[] {
  if (!process.env.TEST_SYSTEM_POSTGRES) return [];
  if (systemPostgres === undefined) throw new Error("TEST_SYSTEM_POSTGRES: no PostgreSQL is installed here.");
  return [postgresEngine(systemPostgres)];
}

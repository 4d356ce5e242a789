import { embeddedPostgres, postgresEngine, systemPostgres } from "./postgres.ts";
import { temporaryFolder } from "./server.ts";

/** A database of its own for one test, empty and gone at the end. */
export interface TestDatabase extends AsyncDisposable {
  /** The value of DATABASE_URL. */
  readonly url: string;
}

/** A database engine that the contract holds on. */
export interface Engine {
  readonly name: string;
  /** Environment variables of every server on it. */
  readonly settings?: Readonly<Record<string, string>>;
  createDatabase(): Promise<TestDatabase>;
}

const sqlite: Engine = {
  name: "SQLite",
  async createDatabase() {
    const folder = temporaryFolder();
    return {
      url: `sqlite:${folder.file("commonplace.db")}`,
      [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
    };
  },
};

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

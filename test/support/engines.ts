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

if (systemPostgres === undefined)
  console.log("No PostgreSQL is installed in the system: the tests run on the embedded one alone.");

/** Every engine: each suite of the contract runs on each of them. */
export const engines: readonly Engine[] = [
  sqlite,
  postgresEngine(embeddedPostgres),
  ...(systemPostgres === undefined ? [] : [postgresEngine(systemPostgres)]),
];

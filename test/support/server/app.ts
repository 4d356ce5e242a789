import { createApp } from "../../../src/app/app.ts";
import { readingKinds } from "../../../src/app/job-kinds.ts";
import { type Clock, SYSTEM_CLOCK } from "../../../src/clock.ts";
import { openOptionsFrom } from "../../../src/config/config.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import type { Database } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { JobRunner } from "../../../src/jobs/job-runner.ts";
import { Log } from "../../../src/log.ts";
import type { Network } from "../../../src/outbound/fetch-public.ts";
import { copySchemaTo } from "../databases/sqlite-schema.ts";
import { temporaryFolder } from "./server.ts";

/**
 * The smallest pool in which two writers can conflict. The driver opens all connections at once, and each
 * takes 10 ms, since its server process reads the catalog.
 */
export const FEW_CONNECTIONS = { DATABASE_POOL_SIZE: "2" };

/** Settings of servers whose bookmarks stay open with an account. */
export const TEST_SETTINGS = {
  ...FEW_CONNECTIONS,
  BOOKMARKS_ACCESS: "open",
};

const PEER = { address: () => "127.0.0.1" };

/** The whole application in this process, on a new database. */
export interface TestApp {
  readonly database: Database;
  /** Sends a request. A plain object as `json` becomes the body. */
  request(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>;
  close(): Promise<void>;
}

export async function startApp(
  settings: Readonly<Record<string, string>> = {},
  clock: Clock = SYSTEM_CLOCK,
  network?: Network,
): Promise<TestApp> {
  const folder = temporaryFolder();
  const path = folder.file("test.db");
  if (settings.DATABASE_URL === undefined) await copySchemaTo(path);
  const config = readConfig({
    DATABASE_URL: `sqlite:${path}`,
    LOG_LEVEL: "silent",
    ...TEST_SETTINGS,
    ...settings,
  });
  const database = await openDatabase(config.databaseUrl, { ...openOptionsFrom(config), clock });
  const log = new Log({ level: config.logLevel, format: "json" });
  // Uploaded files are read as on a server; other jobs are run by the tests.
  const readings = readingKinds(database).map((kinds) => new JobRunner({ database, kinds, log }));
  for (const runner of readings) runner.start();
  const wakeReadings = () => {
    for (const runner of readings) runner.wake();
  };
  const handle = createApp({ config, database, log, wakeReadings, network });
  return {
    database,
    async request(path, { json, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (json !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
      const body = json === undefined ? init.body : JSON.stringify(json);
      return handle(
        new Request(`http://localhost${path}`, { ...init, headers, ...(body != null && { body }) }),
        PEER,
      );
    },
    async close() {
      await Promise.all(readings.map((runner) => runner.stop(5_000)));
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

import { afterAll, beforeAll, describe } from "bun:test";
import type { Account } from "../../../src/accounts/account.ts";
import { createApp } from "../../../src/app/app.ts";
import type { Awaitable } from "../../../src/awaitable.ts";
import { type Clock, SYSTEM_CLOCK } from "../../../src/clock.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import type { Database, Sql } from "../../../src/database/database.ts";
import { type Bound, flatten } from "../../../src/database/fragment.ts";
import { Log } from "../../../src/log.ts";
import type { Send } from "../requests/send.ts";
import { makeMember } from "../requests/sign-in.ts";
import { startApp, type TestApp } from "../server/app.ts";
import { type Engine, engines } from "../server/engines.ts";
import { type LocalServer, serve } from "../server/serve.ts";
import { type RunningServer, startServer } from "../server/server.ts";

type Settings = Readonly<Record<string, string>>;

/**
 * The application in this process, on a database that all tests of a suite share. Each test makes its own
 * accounts.
 */
export interface Site {
  readonly database: Database;
  readonly databaseUrl: string;
  /** Sends requests through a proxy, which reports the client's address in X-Forwarded-For. */
  readonly send: Send;
  /** Sends requests to the same database with other settings. */
  sendWith(settings: Settings): Send;
  /** Makes an account with a unique name. */
  createAccount(): Promise<Account>;
  /** Starts a server on the same database in this process. It ends with the suite. */
  serve(): Promise<LocalServer>;
  /** Starts a server on the same database in a separate process. It ends with the suite. */
  startServer(): Promise<RunningServer>;
}

/** One engine, for slow tests that are the same on all engines: starting commands, hashing passwords. */
export const oneEngine = engines.slice(0, 1);

/**
 * Describes a part of the contract of accounts, and tests it on every engine by default.
 * @param options.clock of `send`, for tests in which a time must not pass by itself
 */
export function describeSite(
  title: string,
  define: (site: Site) => void,
  { on = engines, clock = SYSTEM_CLOCK }: { on?: readonly Engine[]; clock?: Clock } = {},
): void {
  for (const engine of on) {
    describe(`${title} (${engine.name})`, () => {
      const suite = new Suite(engine, clock);
      beforeAll(() => suite.start());
      afterAll(() => suite.end());
      define(suite);
    });
  }
}

class Suite implements Site {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #toEnd = new AsyncDisposableStack();
  #app: TestApp | undefined;
  #members = 0;
  databaseUrl = "";

  constructor(engine: Engine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  readonly send: Send = (path, init) => this.#started.request(path, init);

  get database(): Database {
    return this.#started.database;
  }

  sendWith(settings: Settings): Send {
    return sendOver(this.database, settings);
  }

  createAccount(): Promise<Account> {
    this.#members++;
    return makeMember(this.database, `member${this.#members}`);
  }

  async serve(): Promise<LocalServer> {
    const server = await serve({ DATABASE_URL: this.databaseUrl });
    this.#toEnd.defer(() => server.stop());
    return server;
  }

  async startServer(): Promise<RunningServer> {
    const server = await startServer({ DATABASE_URL: this.databaseUrl });
    this.#toEnd.defer(() => server.kill());
    return server;
  }

  async start(): Promise<void> {
    const place = await this.#engine.createDatabase();
    this.#toEnd.use(place);
    this.databaseUrl = place.url;
    const app = await startApp({ DATABASE_URL: place.url, TRUSTED_PROXIES: "127.0.0.1" }, this.#clock);
    this.#app = app;
    this.#toEnd.defer(() => app.close());
  }

  end(): Promise<void> {
    return this.#toEnd.disposeAsync();
  }

  get #started(): TestApp {
    if (this.#app === undefined) throw new Error("The site is not there yet.");
    return this.#app;
  }
}

/** Sends requests to another application in this process, on a wrapped database. */
export function sendOver(database: Database, settings: Readonly<Record<string, string>> = {}): Send {
  const config = readConfig(settings);
  const handle = createApp({ config, database, log: new Log({ level: "silent", format: "json" }) });
  return async (path, { json, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (json !== undefined) headers.set("content-type", "application/json");
    const body = json === undefined ? init.body : JSON.stringify(json);
    const request = new Request(`http://localhost${path}`, {
      ...init,
      headers,
      ...(body != null && { body }),
    });
    return handle(request, { address: () => "127.0.0.1" });
  };
}

/** A database that records its writes. */
export interface WatchedDatabase extends Database {
  /** All writes so far, including those that no request waits for. */
  readonly writes: readonly Promise<unknown>[];
}

/**
 * @param onRead called with the SQL of each read after it has its rows, and a number that all reads of one snapshot
 *   share; the read waits for it
 */
export function watched(
  database: Database,
  onRead?: (text: string, snapshot: number) => Promise<void>,
): WatchedDatabase {
  let snapshots = 0;
  const watching = (sql: Sql, snapshot?: number): Sql => {
    const read = async <Row>(text: TemplateStringsArray, ...values: Bound[]) => {
      const rows = await sql<Row>(text, ...values);
      await onRead?.(flatten(text, values).text.join("?"), snapshot ?? ++snapshots);
      return rows;
    };
    return Object.assign(read, { engine: sql.engine, slot: sql.slot });
  };
  const writes: Promise<unknown>[] = [];
  return {
    engine: database.engine,
    clock: database.clock,
    epoch: database.epoch,
    location: database.location,
    read: watching(database.read),
    readMany: watching(database.readMany),
    stamp: () => database.stamp(),
    stampNow: () => database.stampNow(),
    write<T>(work: (sql: Sql) => Awaitable<T>): Promise<T> {
      const done = database.write(work);
      writes.push(done);
      return done;
    },
    obstacle: () => database.obstacle(),
    releaseReserve: () => database.releaseReserve(),
    readApart: (deadline) => database.readApart(deadline),
    snapshot: (work) => database.snapshot((sql) => work(watching(sql, ++snapshots))),
    ready: () => database.ready(),
    findDamage: () => database.findDamage(),
    state: () => database.state(),
    close: () => database.close(),
    writes,
  };
}

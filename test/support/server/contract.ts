import { afterAll, beforeAll, describe, type test } from "bun:test";
import type { Clock } from "../../../src/clock.ts";
import type { Network } from "../../../src/outbound/fetch-public.ts";
import { type Send, sendTo } from "../requests/send.ts";
import { startApp, TEST_SETTINGS, type TestApp } from "./app.ts";
import { contractEngines, type Engine, engines, onceOn } from "./engines.ts";
import { type LocalServer, serve } from "./serve.ts";
import { type RunningServer, startServer } from "./server.ts";

type Settings = Readonly<Record<string, string>>;

/** What a contract suite starts, on databases without records. */
export interface AppService {
  /** As {@link onceOn}. */
  readonly once: typeof test;
  /**
   * Makes a database of the suite's engine without records; it is removed with the suite. @returns its
   * DATABASE_URL
   */
  createDatabase(): Promise<string>;
  /** Makes a database without a schema; otherwise like {@link createDatabase}. */
  createEmptyDatabase(): Promise<string>;
  /**
   * Starts the application in this process, on an empty database. It is closed with the suite.
   * @param clock the machine's by default
   * @param network the internet by default
   */
  startApp(settings?: Settings, clock?: Clock, network?: Network): Promise<TestApp>;
  /** Starts a server in a separate process, for tests of its log, its signals and its exit. It ends with the suite. */
  startAnother(settings?: Settings): Promise<RunningServer>;
}

/** The server of a contract suite, on a database without records. */
export interface Service extends AppService {
  readonly url: string;
  readonly databaseUrl: string;
  readonly send: Send;
  /** Starts another server, on a new database unless the settings name one. It ends with the suite. */
  serveAnother(settings?: Settings): Promise<Pick<LocalServer, "url">>;
}

/**
 * Describes a part of the contract, and tests it on every engine.
 * @param settings the settings of the suite's server
 */
export function describeContract(title: string, define: Definition, settings: Settings = {}): void {
  for (const engine of contractEngines)
    describe(`${title} (${engine.name})`, () => describeOn(engine, define, settings));
}

/**
 * Describes a part of the contract that is the same with several server processes, and whose tests start the application
 * in their process or a server, and tests it on every database engine. The suite has no server.
 */
export function describeApp(title: string, define: (service: AppService) => void): void {
  for (const engine of contractEngines)
    if (engine.settings?.WORKERS === undefined)
      describe(`${title} (${engine.name})`, () => {
        const suite = new Suite(engine);
        afterAll(() => suite.end());
        define(suite);
      });
}

/** Describes a part of the contract that does not depend on the database, and tests it on one engine. */
export function describeHttp(title: string, define: Definition, settings: Settings = {}): void {
  const [engine] = engines;
  if (engine !== undefined) describe(title, () => describeOn(engine, define, settings));
}

type Definition = (service: Service) => void;

function describeOn(engine: Engine, define: Definition, settings: Settings): void {
  const suite = new Suite(engine);
  beforeAll(() => suite.start(settings));
  afterAll(() => suite.end());
  define(suite);
}

class Suite implements Service {
  readonly #engine: Engine;
  readonly #toEnd = new AsyncDisposableStack();
  url = "";
  databaseUrl = "";
  send: Send = () => Promise.reject(new Error("The server is not there yet."));

  readonly once: typeof test;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.once = onceOn(engine);
  }

  async start(settings: Settings): Promise<void> {
    this.databaseUrl = await this.createDatabase();
    const { url } = await this.serveAnother({ DATABASE_URL: this.databaseUrl, ...settings });
    this.url = url;
    this.send = sendTo(url);
  }

  async serveAnother(given: Settings = {}): Promise<Pick<LocalServer, "url">> {
    const settings = { ...this.#engine.settings, ...given };
    // Only a separate server process can start workers.
    if ("WORKERS" in settings) return this.startAnother(given);
    const databaseUrl = settings.DATABASE_URL ?? (await this.createDatabase());
    const server = await serve({ ...settings, DATABASE_URL: databaseUrl });
    this.#toEnd.defer(() => server.stop());
    return server;
  }

  async startAnother(settings: Settings = {}): Promise<RunningServer> {
    const databaseUrl = settings.DATABASE_URL ?? (await this.createDatabase());
    const server = await startServer({
      ...TEST_SETTINGS,
      ...this.#engine.settings,
      ...settings,
      DATABASE_URL: databaseUrl,
    });
    this.#toEnd.defer(() => server.kill());
    return server;
  }

  async startApp(settings: Settings = {}, clock?: Clock, network?: Network): Promise<TestApp> {
    const databaseUrl = settings.DATABASE_URL ?? (await this.createDatabase());
    const app = await startApp({ ...settings, DATABASE_URL: databaseUrl }, clock, network);
    this.#toEnd.defer(() => app.close());
    return app;
  }

  end(): Promise<void> {
    return this.#toEnd.disposeAsync();
  }

  async createDatabase(): Promise<string> {
    return this.#toEnd.use(await this.#engine.createDatabase()).url;
  }

  async createEmptyDatabase(): Promise<string> {
    return this.#toEnd.use(await this.#engine.createEmptyDatabase()).url;
  }
}

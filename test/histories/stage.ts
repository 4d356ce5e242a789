import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { SCOPES } from "../../src/accounts/scope.ts";
import { openBeside } from "../support/databases/database.ts";
import { createDatabase, embeddedPostgres, startCluster } from "../support/databases/postgres.ts";
import { PostgresServer, severalHosts } from "../support/databases/postgres-server.ts";
import { makeAccount, makeToken } from "../support/records/accounts.ts";
import { TcpProxy } from "../support/requests/tcp-proxy.ts";
import { COMMAND, temporaryFolder } from "../support/server/server.ts";

/** The last one is PostgreSQL with reads from a synchronous and an asynchronous standby. */
export const ENGINES = ["sqlite", "postgres", "standbys"] as const;
export type EngineName = (typeof ENGINES)[number];

/**
 * The delay of PostgreSQL's responses to the second server, and of its log to the synchronous standby, in milliseconds. It makes that server's queries
 * overlap with more writes.
 */
const SLOW_ANSWERS = 3;

/** A server process. */
export interface ServerProcess {
  readonly port: number;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** Two servers on one database of an engine. */
export interface Stage extends AsyncDisposable {
  readonly engine: EngineName;
  /** A token with all scopes. */
  readonly admin: string;
  /** The number of servers. */
  readonly servers: number;
  start(server: number): Promise<ServerProcess>;
  /** Kills the database server and starts it again; undefined if there is none. */
  readonly restartDatabase: (() => Promise<void>) | undefined;
  /** Stops a standby, promotes the other one, and lets the first go on with what it has; once. */
  readonly failOver?: () => Promise<void>;
}

/** @param command the program to run, for example one with a mistake */
export async function makeStage(engine: EngineName, command = COMMAND): Promise<Stage> {
  if (engine === "sqlite") return sqliteStage(command);
  return engine === "postgres" ? postgresStage(command) : standbysStage(command);
}

async function sqliteStage(command: string): Promise<Stage> {
  const folder = temporaryFolder();
  const url = `sqlite:${folder.file("histories.db")}`;
  const processes: ServerProcess[] = [];
  return {
    engine: "sqlite",
    admin: await makeAdmin(url),
    servers: 2,
    restartDatabase: undefined,
    async start(server) {
      const started = await startServer(command, url);
      processes[server] = started;
      return started;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map((one) => one.kill()));
      await rm(folder.path, { recursive: true, force: true });
    },
  };
}

async function postgresStage(command: string): Promise<Stage> {
  const cluster = await startCluster();
  const database = await createDatabase(cluster);
  const proxy = await proxyWithDelay(cluster.server.port);
  const urls = [database.url, cluster.server.url(database.name, proxy.port)];
  const processes: ServerProcess[] = [];
  return {
    engine: "postgres",
    admin: await makeAdmin(database.url),
    servers: 2,
    async start(server) {
      const started = await startServer(command, urls[server] ?? database.url);
      processes[server] = started;
      return started;
    },
    async restartDatabase() {
      await cluster.server.kill();
      await cluster.server.resume();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map((one) => one.kill()));
      await proxy.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** A commit waits for the synchronous standby, which gets it later than the other one. */
async function standbysStage(command: string): Promise<Stage> {
  const toEnd = new AsyncDisposableStack();
  const primary = toEnd.use(await PostgresServer.start(embeddedPostgres, { max_connections: 100 }));
  await primary.halt();
  const slow = await proxyWithDelay(primary.port);
  const synchronous = await primary.makeStandby(slow, { cluster_name: "synchronous" });
  const asynchronous = toEnd.use(await primary.makeStandby(primary));
  const waiting = { synchronous_commit: "remote_apply", synchronous_standby_names: "synchronous" };
  await primary.configure(waiting);
  toEnd.use(synchronous);
  toEnd.use(slow);
  await Promise.all([primary, synchronous, asynchronous].map((server) => server.resume()));
  const proxy = toEnd.use(await proxyWithDelay(primary.port));
  const urls = [primary, proxy].map((first) => severalHosts([first, synchronous]));
  const settings = { DATABASE_READ_URL: severalHosts([synchronous, asynchronous]) };
  const admin = await makeAdmin(severalHosts([primary]));
  const processes: ServerProcess[] = [];
  return {
    engine: "standbys",
    admin,
    servers: 2,
    async start(server) {
      const started = await startServer(command, urls[server] ?? "", settings);
      processes[server] = started;
      return started;
    },
    restartDatabase: undefined,
    async failOver() {
      const stopped = await asynchronous.freeze();
      await primary.kill();
      await synchronous.promote();
      for (const pid of stopped) process.kill(pid, "SIGCONT");
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map((one) => one.kill()));
      await toEnd.disposeAsync();
    },
  };
}

async function proxyWithDelay(port: number): Promise<TcpProxy> {
  const proxy = await TcpProxy.start(port);
  proxy.delay = SLOW_ANSWERS;
  return proxy;
}

async function makeAdmin(url: string): Promise<string> {
  const database = await openBeside(url);
  try {
    return await makeToken(database, await makeAccount(database, "ada"), { scopes: SCOPES });
  } finally {
    await database.close();
  }
}

/** Like `startServer` of the other tests, but without storing the log, which is long here. */
async function startServer(
  command: string,
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = Bun.spawn([command, "serve"], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? "",
      PORT: "0",
      DATABASE_URL: url,
      ...settings,
      // Makes links and entity tags equal on both servers.
      PUBLIC_URL: "http://localhost:8000",
      BOOKMARKS_ACCESS: "open",
      POSTS_ACCESS: "read",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const end = () => child.kill("SIGKILL");
  process.on("exit", end);
  const { promise: port, resolve: listens, reject } = Promise.withResolvers<number>();
  (async () => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const bytes of child.stdout) {
      if (text === "listens") continue;
      text += decoder.decode(bytes, { stream: true });
      const address = /Listening on http:\/\/[^"\s]+?:(\d+)/.exec(text);
      if (address === null) continue;
      listens(Number(address[1]));
      text = "listens";
    }
  })();
  child.exited.then(async (code) => {
    process.off("exit", end);
    reject(new Error(`serve exited with ${code}: ${await new Response(child.stderr).text()}`));
  });
  return {
    port: await port,
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

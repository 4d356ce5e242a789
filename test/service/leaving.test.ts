import { describe, expect, test } from "bun:test";
import { until } from "../support/machine/until.ts";
import { isInstalled, proxyKinds, startHaproxyBefore } from "../support/requests/proxies.ts";
import { exchange, fieldOf } from "../support/requests/raw-http.ts";
import { fullRunTest } from "../support/run/full-run.ts";
import { engines } from "../support/server/engines.ts";
import { killAll } from "../support/server/processes.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server/server.ts";

/** Longer than any test: the server is killed. */
const NEVER_ENDS = { STOP_DELAY: "1d" };

describe("A server that leaves its load balancer", () => {
  for (const workers of [1, 2])
    test(`is not ready from SIGTERM on, but serves for STOP_DELAY (${workers} workers)`, async () => {
      using folder = temporaryFolder();
      const settings = { ...NEVER_ENDS, DATABASE_URL: `sqlite:${folder.file("leaving.db")}` };
      const server = await startServer(settings, { flags: ["--workers", String(workers)] });
      const get = (target: string) => exchange(server.url, { method: "GET", target });
      expect((await get("/readyz")).status).toBe(200);

      process.kill(server.pid, "SIGTERM");
      await until("each process stops", async () => stopping(server) === workers);
      for (let probe = 0; probe < 5 * workers; probe++) {
        expect((await get("/readyz")).status).toBe(503);
        const served = await get("/bookmarks/");
        expect([served.status, fieldOf(served, "connection")]).toEqual([200, "close"]);
        expect((await get("/healthz")).status).toBe(200);
      }
      await killAll(server);
    });

  test("does not wait when Ctrl-C ends it", async () => {
    using folder = temporaryFolder();
    const settings = { ...NEVER_ENDS, DATABASE_URL: `sqlite:${folder.file("interrupted.db")}` };
    const server = await startServer(settings);
    process.kill(server.pid, "SIGINT");
    expect(await server.exited).toBe(0);
  });

  fullRunTest("stays ready while its workers are replaced", async () => {
    using folder = temporaryFolder();
    const settings = { ...NEVER_ENDS, DATABASE_URL: `sqlite:${folder.file("replaced.db")}` };
    const server = await startServer(settings, { flags: ["--workers", "2"] });
    const statuses = new Set<number>();
    process.kill(server.pid, "SIGUSR2");
    const isReplaced = async () => {
      // Without the kernel setting of docs/scaling.md, a connection may be reset.
      const ready = await exchange(server.url, { method: "GET", target: "/readyz" }).catch(() => undefined);
      if (ready !== undefined) statuses.add(ready.status);
      return server.lines.some((line) => line.includes("Replaced the worker processes"));
    };
    await until("all are replaced", isReplaced);
    expect([...statuses]).toEqual([200]);
    process.kill(server.pid, "SIGINT");
    expect(await server.exited).toBe(0);
  });
});

const haproxy = proxyKinds.find(({ name }) => name === "HAProxy");
const [, postgres] = engines;
const CLIENTS = 8;

describe.skipIf(haproxy === undefined || !isInstalled(haproxy) || postgres === undefined)(
  "Eight servers behind HAProxy, set up as in docs/scaling.md",
  () => {
    const restartedInTurn = async () => {
      const database = await postgres?.createDatabase();
      // The default is a second; a loaded machine sends its checks late.
      const settings = {
        DATABASE_URL: database?.url ?? "",
        STOP_DELAY: "4s",
        TRUSTED_PROXIES: "127.0.0.1",
        BOOKMARKS_ACCESS: "open",
      };
      const servers: RunningServer[] = [];
      for (let count = 0; count < 8; count++) servers.push(await startServer(settings));
      const proxy = await startHaproxyBefore(servers.map(({ url }) => url));
      const outcomes = new Map<string, number>();
      let isRestarted = false;
      const asking = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let count = 0; !isRestarted || total(outcomes) < 10_000; count++) {
          const outcome = await ask(proxy.url, client, count).catch(String);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      });
      for (const server of [...servers]) {
        const { port } = new URL(server.url);
        expect(await server.stop()).toBe(0);
        servers.push(await startServer({ ...settings, PORT: port }));
      }
      isRestarted = true;
      await Promise.all(asking);
      expect([...outcomes.keys()].sort()).toEqual(["GET 200", "POST 201"]);
      await proxy[Symbol.asyncDispose]();
      await Promise.all(servers.slice(8).map((server) => server.kill()));
      await database?.[Symbol.asyncDispose]();
    };
    fullRunTest("restarted in turn, fail none of 10,000 requests", restartedInTurn, 400_000);
  },
);

/** A write in every tenth request. */
async function ask(url: string, client: number, count: number): Promise<string> {
  const write = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "River", url: `https://example.com/${client}/${count}` }),
  };
  const init = count % 10 === 0 ? write : { method: "GET" };
  const path = count % 10 === 0 ? "/bookmarks/" : "/bookmarks/?limit=5";
  const response = await fetch(url + path, { ...init, tls: { rejectUnauthorized: false } });
  await response.bytes();
  return `${init.method} ${response.status}`;
}

function total(outcomes: ReadonlyMap<string, number>): number {
  return [...outcomes.values()].reduce((sum, count) => sum + count, 0);
}

/** How many of its processes have begun to stop. */
function stopping({ lines }: RunningServer): number {
  return lines.filter((line) => line.includes("Stopping on")).length;
}

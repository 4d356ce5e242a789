import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { until } from "../support/machine/until.ts";
import { oneEngine } from "../support/pages/site.ts";
import { isFullRun, rounds } from "../support/run/full-run.ts";
import { engines, type TestDatabase } from "../support/server/engines.ts";
import { childrenOf, isAlive } from "../support/server/processes.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

// Several processes on PostgreSQL are also tested in test/postgres/processes.test.ts.
for (const engine of isFullRun ? engines : oneEngine)
  describe(`serve --workers 3 (${engine.name})`, () => {
    let place: TestDatabase;
    let server: RunningServer;

    beforeAll(async () => {
      place = await engine.createDatabase();
      server = await startServer({ DATABASE_URL: place.url }, { flags: ["--workers", "3"] });
    });
    afterAll(async () => {
      await server.stop();
      await place[Symbol.asyncDispose]();
    });

    test("serves from three processes on one port when it reports that it listens", async () => {
      expect(workers()).toHaveLength(3);
      const prefixes = new Set<string>();
      for (let count = 0; count < 60; count++) prefixes.add(await answeredBy());
      expect(prefixes.size).toBe(3);
    });

    test("shows in each process what another one stored", async () => {
      const { id } = await create("https://example.com/shared");
      for (let count = 0; count < 30; count++) {
        const response = await fetch(`${server.url}/bookmarks/${id}`, { headers: { connection: "close" } });
        expect(response.status).toBe(200);
        await response.bytes();
      }
    });

    test("replaces a worker that dies, and logs it", async () => {
      const [victim] = workers();
      process.kill(victim ?? 0, "SIGKILL");
      await until(
        "three workers run again",
        async () => workers().length === 3 && !workers().includes(victim ?? 0),
      );
      await until("the log says so", async () =>
        server.lines.some((line) => line.includes("A worker process died and is being replaced.")),
      );
      expect((await create("https://example.com/after")).id).toBeGreaterThan(0);
    });

    test("replaces all of them at SIGUSR2, one by one, without refusing a request", async () => {
      const before = workers();
      const created: string[] = [];
      const reset: string[] = [];
      let isReplaced = false;
      const clients = ["close", "keep-alive"].flatMap((connection) =>
        Array.from({ length: rounds(1, 3) }, async (_, client) => {
          for (let count = 0; !isReplaced; count++) {
            const url = `https://example.com/${connection}/${client}/${count}`;
            const made = await create(url, connection).catch(ifReset);
            (made === undefined ? reset : created).push(url);
          }
        }),
      );
      process.kill(server.pid, "SIGUSR2");
      await until("the log says so", async () =>
        server.lines.some((line) => line.includes("Replaced the worker processes")),
      ).finally(() => {
        isReplaced = true;
      });
      await Promise.all(clients);
      expect(workers()).toHaveLength(3);
      expect(workers().filter((pid) => before.includes(pid))).toEqual([]);
      expect(server.lines.filter((line) => line.includes("died"))).toHaveLength(1);
      const stored = new Set((await listed()).map(({ url }) => url));
      expect(created.filter((url) => !stored.has(url))).toEqual([]);
      // The kernel resets connections that no process has accepted, unless it may hand them to another.
      if (readFileSync("/proc/sys/net/ipv4/tcp_migrate_req", "utf8").trim() === "1")
        expect(reset).toEqual([]);
      expect(reset.filter((url) => stored.has(url))).toEqual([]);
    });

    test("stores simultaneous writes to several processes once each, and shows them at once", async () => {
      const made = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const { id } = await create(`https://example.com/at-once/${index}`);
          const response = await fetch(`${server.url}/bookmarks/${id}`, { headers: { connection: "close" } });
          expect(response.status).toBe(200);
          return id;
        }),
      );
      expect(new Set(made).size).toBe(60);
    });

    test("stops all workers when it ends, for any reason", async () => {
      const other = await startServer({ DATABASE_URL: place.url }, { flags: ["--workers", "2"] });
      const children = childrenOf(other.pid);
      expect(children).toHaveLength(2);
      await other.kill();
      await until("the workers have ended", async () => children.every((pid) => !isAlive(pid)));
    });

    function workers(): number[] {
      return childrenOf(server.pid);
    }

    /** Each process numbers its requests behind a word of its own. */
    async function answeredBy(): Promise<string> {
      const response = await fetch(`${server.url}/healthz`, { headers: { connection: "close" } });
      await response.bytes();
      return response.headers.get("x-request-id")?.split("-")[0] ?? "";
    }

    async function listed(): Promise<{ url: string }[]> {
      const response = await fetch(`${server.url}/bookmarks/`, { headers: { connection: "close" } });
      return (await response.json()) as { url: string }[];
    }

    async function create(url: string, connection = "close"): Promise<{ id: number }> {
      const response = await fetch(`${server.url}/bookmarks/`, {
        method: "POST",
        headers: { "content-type": "application/json", connection },
        body: JSON.stringify({ title: "Shared", url }),
      });
      expect(response.status).toBe(201);
      return (await response.json()) as { id: number };
    }
  });

/** A connection that was reset before it was answered. @throws any other error */
function ifReset(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
}

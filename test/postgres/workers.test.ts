import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { engines, type TestDatabase } from "../support/engines.ts";
import { childrenOf, isAlive } from "../support/processes.ts";
import { type RunningServer, run, startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

for (const engine of engines.filter(({ name }) => name.startsWith("PostgreSQL")))
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

    test("serves from three processes behind one port once it says that it listens", async () => {
      expect(workers()).toHaveLength(3);
      const prefixes = new Set<string>();
      for (let count = 0; count < 60; count++) prefixes.add(await answeredBy());
      expect(prefixes.size).toBe(3);
    });

    test("shows in each what another has stored", async () => {
      const { id } = await create("https://example.com/shared");
      for (let count = 0; count < 30; count++) {
        const response = await fetch(`${server.url}/bookmarks/${id}`, { headers: { connection: "close" } });
        expect(response.status).toBe(200);
        await response.bytes();
      }
    });

    test("replaces one that dies, and says so", async () => {
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

    test("ends all of them with it, whatever ends it", async () => {
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

    async function create(url: string): Promise<{ id: number }> {
      const response = await fetch(`${server.url}/bookmarks/`, {
        method: "POST",
        headers: { "content-type": "application/json", connection: "close" },
        body: JSON.stringify({ title: "Shared", url }),
      });
      expect(response.status).toBe(201);
      return (await response.json()) as { id: number };
    }
  });

test("serve --workers 2 on SQLite is refused with a line that says why", async () => {
  const { code, stderr } = await run(["serve", "--workers", "2"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^commonplace: WORKERS: SQLite [^\n]+\n$/);
});

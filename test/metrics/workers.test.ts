import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freePort } from "../../src/http/server.ts";
import { until } from "../support/machine/until.ts";
import { engines, type TestDatabase } from "../support/server/engines.ts";
import { scrape } from "../support/server/metrics.ts";
import { childrenOf } from "../support/server/processes.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

const [postgres] = engines.filter(({ name }) => name.startsWith("PostgreSQL"));

describe("serve --workers 2 with METRICS_PORT", () => {
  let place: TestDatabase;
  let server: RunningServer;
  let port: number;
  beforeAll(async () => {
    if (postgres === undefined) throw new Error("There is no PostgreSQL.");
    place = await postgres.createDatabase();
    port = await freePort("127.0.0.1");
    const settings = { DATABASE_URL: place.url, DATABASE_POOL_SIZE: "8", METRICS_PORT: String(port) };
    server = await startServer(settings, { flags: ["--workers", "2"] });
  });
  afterAll(async () => {
    await server.stop();
    await place[Symbol.asyncDispose]();
  });

  const served = 'commonplace_http_requests_total{route="/bookmarks/",method="POST",status="201"}';

  test("returns the sums of both workers, and the state of their pools", async () => {
    const answeredBy = new Set<string>();
    let sent = 0;
    for (; sent < 10 || answeredBy.size < 2; sent++) answeredBy.add(await create());
    const { value, types, samples } = await scrape(port);
    expect(value(served)).toBe(sent);
    expect(value("commonplace_commit_duration_seconds_count")).toBe(sent);
    expect(value("commonplace_workers")).toBe(2);
    expect(value("commonplace_worker_deaths_total")).toBe(0);
    expect(value("commonplace_database_up")).toBe(1);
    expect(types.get("commonplace_transaction_retries_total")).toBe("counter");
    expect(value("commonplace_pool_connections_max")).toBe(16);
    expect(value("commonplace_pool_writers_max")).toBe(12);
    expect(value("commonplace_pool_writers_waiting")).toBe(0);
    // The search index may still be following.
    await until("nobody writes", async () => (await scrape(port)).value("commonplace_pool_writers") === 0);
    expect([...samples.keys()].filter((name) => name.startsWith("commonplace_build_info"))).toHaveLength(1);
  });

  test("keeps the counts of a worker that died", async () => {
    const before = (await scrape(port)).value(served) ?? 0;
    expect(before).toBeGreaterThan(0);
    process.kill(childrenOf(server.pid)[0] ?? 0, "SIGKILL");
    await until(
      "it is replaced",
      async () => (await scrape(port)).value("commonplace_worker_deaths_total") === 1,
    );
    await until("two run", async () => (await scrape(port)).value("commonplace_workers") === 2);
    expect((await scrape(port)).value(served)).toBe(before);
    await until("it is answered", async () => (await create().catch(() => "")) !== "");
    expect((await scrape(port)).value(served)).toBe(before + 1);
  });

  /** @returns a word that identifies the process that has answered */
  async function create(): Promise<string> {
    const response = await fetch(`${server.url}/bookmarks/`, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close" },
      body: JSON.stringify({ title: "Measured", url: "https://example.com/" }),
    });
    expect(response.status).toBe(201);
    return response.headers.get("x-request-id")?.split("-")[0] ?? "";
  }
});

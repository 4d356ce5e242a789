import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freePort } from "../support/machine/free-port.ts";
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
    port = await freePort(2);
    const settings = { DATABASE_URL: place.url, DATABASE_POOL_SIZE: "8", METRICS_PORT: String(port) };
    server = await startServer(settings, { flags: ["--workers", "2"] });
  });
  afterAll(async () => {
    await server.stop();
    await place[Symbol.asyncDispose]();
  });

  const served = 'commonplace_http_requests_total{route="/bookmarks/",method="POST",status="201"}';

  test("has the metrics of each worker on a port of its own", async () => {
    const answers = new Map<string, number>();
    for (let sent = 0; sent < 10 || answers.size < 2; sent++) {
      const worker = await create();
      answers.set(worker, (answers.get(worker) ?? 0) + 1);
    }
    const targets = [await scrape(port), await scrape(port + 1)];
    const counted = targets.map(({ value }) => value(served) ?? 0);
    expect(counted.toSorted()).toEqual([...answers.values()].toSorted());
    for (const { value } of targets) {
      expect(value("commonplace_database_up")).toBe(1);
      expect(value("commonplace_pool_connections_max")).toBe(8);
    }
    await expect(scrape(port + 2)).rejects.toThrow();
  });

  test("finds a worker that replaces another one on its port, after a death and a rolling restart", async () => {
    const begun = await beginnings();
    process.kill(childrenOf(server.pid)[0] ?? 0, "SIGKILL");
    await until("one has begun again", async () => changed(begun, await beginnings()) === 1);
    const rebegun = await beginnings();
    process.kill(server.pid, "SIGUSR2");
    await until("both have begun again", async () => changed(rebegun, await beginnings()) === 2);
    await until("they serve", async () => (await create().catch(() => "")) !== "");
  });

  /** When the process behind each port began; undefined while there is none. */
  function beginnings(): Promise<(number | undefined)[]> {
    return Promise.all(
      [port, port + 1].map((each) =>
        scrape(each).then(
          ({ value }) => value("process_start_time_seconds"),
          () => undefined,
        ),
      ),
    );
  }

  function changed(before: readonly (number | undefined)[], now: readonly (number | undefined)[]): number {
    return now.filter((begun, index) => begun !== undefined && begun !== before[index]).length;
  }

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

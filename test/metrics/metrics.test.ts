import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { VERSION } from "../../src/version.ts";
import { expectRefused } from "../support/machine/commands.ts";
import { freePort } from "../support/machine/free-port.ts";
import { until } from "../support/machine/until.ts";
import { scrape } from "../support/server/metrics.ts";
import { type RunningServer, run, startServer, temporaryFolder } from "../support/server/server.ts";

describe("serve with METRICS_PORT", () => {
  const folder = temporaryFolder();
  let server: RunningServer;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    const database = `sqlite:${folder.file("metrics.db")}`;
    server = await startServer({ DATABASE_URL: database, METRICS_PORT: String(port) });
  });
  afterAll(async () => {
    await server.stop();
    folder[Symbol.dispose]();
  });

  test("counts requests by route, method and status, and how long they took", async () => {
    await create("https://example.com/a");
    await create("https://example.com/b");
    for (const path of ["/bookmarks/1", "/bookmarks/2", "/bookmarks/99", "/nowhere"]) await get(path);
    await fetch(`${server.url}/bookmarks/`, { method: "PROPFIND" });
    const { contentType, types, samples, value } = await scrape(port);
    expect(contentType).toStartWith("text/plain; version=0.0.4");
    expect(types.get("commonplace_http_requests_total")).toBe("counter");
    expect(value(requests("/bookmarks/", "POST", 201))).toBe(2);
    expect(value(requests("/bookmarks/{id}", "GET", 200))).toBe(2);
    expect(value(requests("/bookmarks/{id}", "GET", 404))).toBe(1);
    expect(value(requests("none", "GET", 404))).toBe(1);
    expect(value(requests("/bookmarks/", "other", 405))).toBe(1);

    expect(types.get("commonplace_http_request_duration_seconds")).toBe("histogram");
    const labels = 'route="/bookmarks/{id}",method="GET"';
    const buckets = [...samples].filter(
      ([name]) => name.includes("_request_duration_seconds_bucket") && name.includes(labels),
    );
    const counts = buckets.map(([, count]) => count);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(buckets.at(-1)).toEqual([
      `commonplace_http_request_duration_seconds_bucket{le="+Inf",${labels}}`,
      3,
    ]);
    expect(value(`commonplace_http_request_duration_seconds_count{${labels}}`)).toBe(3);
    expect(value(`commonplace_http_request_duration_seconds_sum{${labels}}`)).toBeGreaterThan(0);
  });

  test("counts commits, and the writes that shared one", async () => {
    const before = await scrape(port);
    await Promise.all(Array.from({ length: 20 }, (_, index) => create(`https://example.com/${index}`)));
    const after = await scrape(port);
    const grown = (sample: string) => (after.value(sample) ?? 0) - (before.value(sample) ?? 0);
    expect(grown("commonplace_commit_writes_sum")).toBe(20);
    expect(grown("commonplace_commit_writes_count")).toBeWithin(1, 21);
    expect(grown("commonplace_commit_duration_seconds_count")).toBe(grown("commonplace_commit_writes_count"));
    expect(grown("commonplace_commit_duration_seconds_sum")).toBeGreaterThan(0);
    expect(after.value('commonplace_database_file_bytes{file="log"}')).toBeGreaterThan(0);
    expect(after.value("commonplace_database_up")).toBe(1);
  });

  test("counts cached and rendered responses", async () => {
    for (let count = 0; count < 3; count++) await get("/api/posts/");
    const { value } = await scrape(port);
    expect(value("commonplace_response_cache_misses_total")).toBe(1);
    expect(value("commonplace_response_cache_hits_total")).toBe(2);
    expect(value("commonplace_response_cache_entries")).toBe(1);
    expect(value("commonplace_response_cache_bytes")).toBeGreaterThan(0);
  });

  test("has the version, and the state of the process", async () => {
    await until("the event loop has come round", async () => ((await delays()) ?? 0) > 0);
    const { value, samples } = await scrape(port);
    const info = [...samples.keys()].find((name) => name.startsWith("commonplace_build_info"));
    expect(info).toContain(`version="${VERSION}"`);
    expect(info).toContain('engine="sqlite"');
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(value("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(value("process_start_time_seconds")).toBeWithin(Date.now() / 1_000 - 600, Date.now() / 1_000);
    expect(value("commonplace_heap_used_bytes")).toBeGreaterThan(0);
    expect(value("commonplace_log_lines_dropped_total")).toBe(0);
    expect(value("commonplace_http_requests_shed_total")).toBe(0);

    async function delays() {
      return (await scrape(port)).value("commonplace_event_loop_delay_seconds_count");
    }
  });

  test("counts the requests in progress", async () => {
    expect((await scrape(port)).value("commonplace_http_requests_in_flight")).toBe(0);
    const interruption = new AbortController();
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"title":')),
    });
    const sending = fetch(`${server.url}/bookmarks/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: endless,
      signal: interruption.signal,
    }).catch(() => {});
    const inFlight = async () => (await scrape(port)).value("commonplace_http_requests_in_flight");
    await until("one request is in flight", async () => (await inFlight()) === 1);
    interruption.abort();
    await sending;
    await until("none is", async () => (await inFlight()) === 0);
  });

  test("serves metrics only on their own port and path, for host names of this machine", async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    const url = `http://127.0.0.1:${port}`;
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${url}/metrics`, { headers: { host: "evil.example" } })).status).toBe(421);
    expect((await fetch(`http://localhost:${port}/metrics`)).status).toBe(200);
  });

  test("refuses a port in use", async () => {
    const env = {
      DATABASE_URL: `sqlite:${folder.file("other.db")}`,
      PORT: "0",
      METRICS_PORT: String(port),
      LOG_LEVEL: "silent",
    };
    expectRefused(await run(["serve"], { env }), 1, /^commonplace: METRICS_PORT: .*EADDRINUSE/);
  });

  async function get(path: string): Promise<void> {
    await (await fetch(server.url + path)).bytes();
  }

  async function create(url: string): Promise<void> {
    const response = await fetch(`${server.url}/bookmarks/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "Measured", url }),
    });
    expect(response.status).toBe(201);
  }
});

test("METRICS_PORT must not be PORT", async () => {
  const { code, stderr } = await run(["serve", "--port", "9464", "--metrics-port", "9464"]);
  expect(stderr).toMatch(/^commonplace: METRICS_PORT: [^\n]+\n$/);
  expect(code).toBe(2);
});

function requests(route: string, method: string, status: number): string {
  return `commonplace_http_requests_total{route="${route}",method="${method}",status="${status}"}`;
}

import { expect, test } from "bun:test";
import { Metrics } from "../../src/metrics/metrics.ts";

/** The samples of a metric, without its help. */
async function samplesOf(metrics: Metrics, name: string): Promise<string[]> {
  return (await metrics.text()).split("\n").filter((line) => line.startsWith(name));
}

test("A write that finds no space makes the database not writable, until the next one is stored", async () => {
  const metrics = watching();
  const answered = (method: string, status: number, refusedFor?: "storage_full" | "unavailable") =>
    metrics.requests({
      requestId: "r",
      method,
      path: "/bookmarks/",
      route: "/bookmarks/",
      status,
      milliseconds: 1,
      bytes: 0,
      refusedFor,
    });
  const writable = () => samplesOf(metrics, "commonplace_database_writable");

  answered("POST", 503, "unavailable");
  answered("GET", 503, "unavailable");
  answered("POST", 404);
  expect(await writable()).toEqual(["commonplace_database_writable 1"]);
  answered("POST", 507, "storage_full");
  answered("DELETE", 507, "storage_full");
  answered("GET", 200);
  expect(await writable()).toEqual(["commonplace_database_writable 0"]);
  expect(await samplesOf(metrics, "commonplace_writes_refused_total")).toEqual([
    'commonplace_writes_refused_total{reason="storage_full"} 2',
    'commonplace_writes_refused_total{reason="unavailable"} 1',
  ]);
  metrics.database.committed(1, 1);
  expect(await writable()).toEqual(["commonplace_database_writable 1"]);
});

/** The metrics of a server, of which only these are looked at. */
function watching(): Metrics {
  const metrics = new Metrics();
  const database = {
    ready: async () => {},
    obstacle: () => undefined,
    state: () => ({}),
    location: "/",
    engine: "sqlite",
    read: async () => [],
  };
  metrics.watch({
    database,
    server: { inFlight: 0 },
    load: { refused: 0 },
    log: { droppedLines: 0 },
    damage: { isDamaged: false },
  } as unknown as Parameters<Metrics["watch"]>[0]);
  return metrics;
}

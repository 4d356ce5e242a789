import type { Request } from "../load.ts";
import type { Measure } from "../measure.ts";
import { Probe } from "../probe.ts";
import { createBookmarks, fetchBookmarks, SMALL } from "../requests.ts";
import type { Row } from "../row.ts";
import type { Server } from "../server.ts";
import type { Stage } from "../stage.ts";

/** Server and load share all cores, as on a small machine: with one process, a core is idle at times. */
const SHARED = { waits: true, cores: "any" } as const;
const limit = "one process";

const reading: Row = {
  name: "two-workers-fetch",
  group: "workers",
  figure: "SQLite, two processes: fetch one bookmark",
  unit: "requests/s",
  limit,
  rounds: 5,
  prepare: (stage) => oneAndTwo(stage, (server) => stage.underLoad(server, fetchBookmarks(SMALL), SHARED)),
};

const mixed: Row = {
  name: "two-workers-mix",
  group: "workers",
  figure: "SQLite, two processes: nine reads, one creation",
  unit: "requests/s",
  limit,
  goal: { atLeast: 1.35 },
  aside: [
    {
      name: "two-workers-mix-p99",
      figure: "… p99 of creating a bookmark meanwhile",
      unit: "ms",
      goal: { atMost: 25 },
    },
  ],
  rounds: 5,
  prepare: (stage) => oneAndTwo(stage, (server) => besideWriter(stage, server, mixture())),
};

const writing: Row = {
  name: "two-workers-create",
  group: "workers",
  figure: "SQLite, two processes: create a bookmark",
  unit: "requests/s",
  limit,
  goal: { atLeast: 0.9 },
  rounds: 5,
  prepare: (stage) => oneAndTwo(stage, (server) => stage.underLoad(server, createBookmarks(), SHARED)),
};

export const workerRows: readonly Row[] = [reading, mixed, writing];

async function oneAndTwo(stage: Stage, measured: (server: Server) => Promise<Measure>) {
  const started = async (workers: number) =>
    measured(
      await stage.server(await stage.database({ bookmarks: SMALL }), { WORKERS: String(workers) }, "any"),
    );
  return { limit: await started(1), ours: await started(2) };
}

/** Puts a server under load while another client creates a bookmark every few milliseconds. */
async function besideWriter(stage: Stage, server: Server, requests: readonly Request[]): Promise<Measure> {
  const measure = await stage.underLoad(server, requests, SHARED);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ title: "Beside the load", url: "https://beside.example/" });
  return async () => {
    const writer = new Probe(`${server.url}/bookmarks/`, () => ({ method: "POST", headers, body }));
    const sample = await measure();
    const { p99 } = await writer.stop();
    return { ...sample, aside: [p99] };
  };
}

/** In ten requests, nine fetch a bookmark and one creates one. */
function mixture(): Request[] {
  const reads = fetchBookmarks(SMALL);
  return createBookmarks().flatMap((creation, index) => [
    ...Array.from({ length: 9 }, (_, read) => reads[(index * 9 + read) % reads.length] ?? creation),
    creation,
  ]);
}

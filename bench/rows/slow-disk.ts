import { join } from "node:path";
import type { Measure } from "../measure.ts";
import { Probe } from "../probe.ts";
import { createBookmarks, SMALL } from "../requests.ts";
import { NotMeasurable, type Row } from "../row.ts";
import type { Server } from "../server.ts";
import type { Stage } from "../stage.ts";

const SHIM = join(import.meta.dir, "../load/slow-fsync.c");

/** The minimum duration of an fsync on the slow disk, in milliseconds. */
const DELAY = 10;

/** The number of clients that write without a pause. */
const WRITERS = 8;

/** The duration of one measurement, in seconds: long enough for a percentile. */
const SECONDS = 3;

export const slowDisk: Row = {
  name: "slow-disk",
  group: "process",
  figure: "an fsync of 10 ms: p99 of reads beside 8 writers",
  unit: "ms",
  limit: "the disk as it is",
  aside: [{ name: "slow-disk-writes", figure: "… and bookmarks created meanwhile", unit: "requests/s" }],
  rounds: 3,
  async prepare(stage) {
    const shim = await compileShim(stage);
    const measured = async (settings: Readonly<Record<string, string>>) => {
      const server = await stage.server(await stage.database({ bookmarks: SMALL }), settings);
      return { server, measure: await readsBesideWrites(stage, server) };
    };
    const fast = await measured({});
    const slow = await measured({ LD_PRELOAD: shim, SLOW_FSYNC_US: String(DELAY * 1000) });
    await refuseFastDisk(slow.server);
    return { limit: fast.measure, ours: slow.measure };
  },
};

async function readsBesideWrites(stage: Stage, server: Server): Promise<Measure> {
  const write = await stage.prepare(server, createBookmarks(), { connections: WRITERS });
  await write(1);
  return async () => {
    const readers = new Probe(`${server.url}/bookmarks/1`);
    const { answered, seconds } = await write(SECONDS);
    const { p99 } = await readers.stop();
    return { value: p99, aside: [answered / seconds] };
  };
}

/** @returns the path of a library that slows fsync down. @throws NotMeasurable if it cannot be compiled */
async function compileShim(stage: Stage): Promise<string> {
  const compiler = Bun.which("cc") ?? Bun.which("gcc") ?? Bun.which("clang");
  if (process.platform !== "linux") throw new NotMeasurable("its slow fsync is made for Linux");
  if (compiler === null) throw new NotMeasurable("its slow fsync takes a C compiler");
  const shim = stage.file("slow-fsync.so");
  await stage.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, SHIM], { PATH: process.env.PATH ?? "" });
  return shim;
}

/** If the delay has no effect, the result would be too good. */
async function refuseFastDisk(server: Server): Promise<void> {
  const [request] = createBookmarks();
  const started = performance.now();
  await fetch(`${server.url}${request?.path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: request?.body ?? "",
  });
  const taken = performance.now() - started;
  if (taken < DELAY)
    throw new Error(`a write took ${taken.toFixed(1)} ms on a disk whose fsync takes ${DELAY}`);
}

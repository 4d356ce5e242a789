import { join } from "node:path";
import type { ListReading } from "../load/read-list.ts";
import type { Sample } from "../measure.ts";
import { MemoryWatch, residentMiB } from "../memory.ts";
import { withOthers } from "../probe.ts";
import { fetchBookmarks } from "../requests.ts";
import type { Row } from "../row.ts";
import type { Server } from "../server.ts";
import type { Stage } from "../stage.ts";

const READER = join(import.meta.dir, "../load/read-list.ts");

/** The rate of the slow client, in bytes per second. */
const SLOW = 1_000_000;

export const wholeBigList: Row = {
  name: "whole-big-list",
  group: "bookmarks",
  figure: "whole list of 1,000,000: first byte",
  unit: "ms",
  goal: { atMost: 50 },
  aside: [
    { name: "whole-big-list-rate", figure: "… how fast", unit: "MiB/s" },
    { name: "whole-big-list-memory", figure: "… memory grows by", unit: "MiB", goal: { atMost: 64 } },
    {
      name: "whole-big-list-p99",
      figure: "… p99 of fetching a bookmark meanwhile",
      unit: "ms",
      goal: { atMost: 20 },
    },
  ],
  rounds: 5,
  async prepare(stage) {
    const database = await stage.sharedDatabase({ bookmarks: stage.many });
    const server = await stage.server(database);
    const idle = await stage.bareServer("look-up", database);
    // Warms the server up, so that later growth is due to the list.
    await stage.underLoad(server, fetchBookmarks(stage.many));
    const before = residentMiB(server.pid);
    return { ours: () => readWhole(stage, { server, idle }, before) };
  },
};

/** Reads the whole list while a slow client does the same and others fetch bookmarks. */
async function readWhole(
  stage: Stage,
  servers: { readonly server: Server; readonly idle: Server },
  before: number,
): Promise<Sample> {
  const { url, pid } = servers.server;
  const command = [...stage.cores.load, process.execPath, READER, `${url}/bookmarks/`];
  const slow = stage.start([...command, String(SLOW)]);
  const { done: ended } = await slow.stdout.getReader().read();
  if (ended) throw new Error("the slow client was not answered");
  const memory = new MemoryWatch(pid);
  const { done: output, p99, noise } = await withOthers(servers, () => stage.run(command));
  const grown = memory.stop() - before;
  slow.kill();
  const [, reading = ""] = output.split("\n");
  const { msToFirstByte, seconds, bytes }: ListReading = JSON.parse(reading);
  return { value: msToFirstByte, aside: [bytes / seconds / 2 ** 20, grown, p99], noise };
}

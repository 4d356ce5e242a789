import { residentMiB } from "../../memory.ts";
import { Probe } from "../../probe.ts";
import type { Row } from "../../row.ts";
import { IndexWatch, indexBytes } from "../../search-index.ts";
import { aside, databaseOn, HUNDRED_THOUSAND, type Searched } from "./searched.ts";

export function indexing({ engine, count, prefix, group }: Searched): Row {
  const inRoom = (bytes: number) => bytes / 2 ** 20;
  return {
    name: `${prefix}-index`,
    group,
    figure: `${engine}: ${count.toLocaleString("en")} imported bookmarks are found after`,
    unit: "s",
    ...(count === HUNDRED_THOUSAND && { goal: { atMost: 20 } }),
    aside: [
      aside(`${prefix}-index-p99`, "… p99 of fetching a bookmark meanwhile", "ms", { atMost: 50 }),
      aside(`${prefix}-index-size`, "… size of the index, against the bookmarks'", "times", { atMost: 2 }),
      aside(`${prefix}-index-room`, "… which is", "MiB"),
      aside(`${prefix}-index-memory`, "… memory grows by", "MiB", { atMost: 40 }),
    ],
    rounds: 1,
    async prepare(stage) {
      const database = await databaseOn(engine, stage, { searchable: count });
      return {
        async ours() {
          const started = performance.now();
          const server = await stage.server(database);
          await fetch(`${server.url}/bookmarks/1`);
          const before = residentMiB(server.pid);
          const others = new Probe(`${server.url}/bookmarks/1`);
          const watch = new IndexWatch(database);
          await watch.finished();
          const value = (performance.now() - started) / 1_000;
          const { p99 } = await others.stop();
          const grown = residentMiB(server.pid) - before;
          await server.stop();
          const { index, bookmarks } = await indexBytes(database);
          return { value, aside: [p99, index / bookmarks, inRoom(index), grown] };
        },
      };
    },
  };
}

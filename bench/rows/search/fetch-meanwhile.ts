import type { Request } from "../../load.ts";
import { Probe } from "../../probe.ts";
import { fetchBookmarks } from "../../requests.ts";
import type { Row } from "../../row.ts";
import { KINDS, query } from "./queries.ts";
import { databaseOn, type Searched } from "./searched.ts";

const SEARCHERS = 8;

export function fetchingMeanwhile({ engine, count, prefix, group }: Searched): Row {
  return {
    name: `${prefix}-fetch-meanwhile`,
    group,
    figure: `${engine}: p99 of fetching a bookmark while ${SEARCHERS} clients search`,
    unit: "ms",
    limit: "the same while nobody searches",
    goal: { atMost: 1.5 },
    rounds: 3,
    async prepare(stage) {
      const database = await databaseOn(engine, stage, { searchable: count, indexed: true }, true);
      const server = await stage.server(database);
      await stage.underLoad(server, fetchBookmarks(count));
      const search = await stage.prepare(server, searches(), { connections: SEARCHERS });
      const seconds = stage.quick ? 1 : 3;
      const probed = async (work: () => Promise<unknown>) => {
        const probe = new Probe(`${server.url}/bookmarks/1`);
        await work();
        return { value: (await probe.stop()).p99 };
      };
      return {
        limit: () => probed(() => Bun.sleep(seconds * 1_000)),
        ours: () => probed(() => search(seconds)),
      };
    },
  };
}

function searches(): Request[] {
  const kinds = Object.values(KINDS);
  return Array.from({ length: 2_000 }, (_, index) => ({
    method: "GET",
    path: `/bookmarks/?limit=20&fresh=${index}&q=${query(kinds[index % kinds.length]?.(index))}`,
  }));
}

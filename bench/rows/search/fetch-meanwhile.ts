import type { Request } from "../../load.ts";
import { fetchBookmarks } from "../../requests.ts";
import type { Row } from "../../row.ts";
import { SocketProbe } from "../../socket-probe.ts";
import { KINDS, query } from "./queries.ts";
import { databaseOn, type Searched } from "./searched.ts";

const SEARCHERS = 8;
/** The number of searches, all different, so that none is in the cache of responses: more than all rounds send. */
const SEARCHES = 80_000;
/** The different queries among them. The others differ in a parameter that the server repeats in its links only. */
const QUERIES = 2_000;

export function fetchingMeanwhile({ engine, count, prefix, group }: Searched): Row {
  return {
    name: `${prefix}-fetch-meanwhile`,
    group,
    figure: `${engine}: p99 of fetching a bookmark while ${SEARCHERS} clients search`,
    unit: "ms",
    limit: "the same while nobody searches",
    goal: { atMost: 1.5 },
    rounds: 5,
    async prepare(stage) {
      const database = await databaseOn(engine, stage, { searchable: count, indexed: true }, true);
      const server = await stage.server(database);
      await stage.underLoad(server, fetchBookmarks(count));
      const search = await stage.prepare(server, searches(), { connections: SEARCHERS });
      const seconds = stage.quick ? 2 : 8;
      // Both parts are measured when the code for both is compiled.
      await search(seconds);
      const probed = async (work: () => Promise<unknown>) => {
        const probe = new SocketProbe(`${server.url}/bookmarks/1`);
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
  const queries = Array.from({ length: QUERIES }, (_, index) => query(kinds[index % kinds.length]?.(index)));
  return Array.from({ length: SEARCHES }, (_, index) => ({
    method: "GET",
    path: `/bookmarks/?limit=20&fresh=${index}&q=${queries[index % QUERIES]}`,
  }));
}

import type { Request } from "../load.ts";
import type { Row } from "../row.ts";

/** Bookmarks in the small collection. */
export const SMALL = 1_000;

export const fetchOne: Row = {
  name: "fetch-one",
  figure: "fetch one bookmark",
  unit: "requests/s",
  limit: "bare server, same look-up",
  goal: { atLeast: 0.8 },
  rounds: 7,
  async prepare(stage) {
    const database = await stage.database(SMALL);
    const bare = await stage.bareServer("look-up", database);
    const server = await stage.server(database);
    const requests = fetchEach(SMALL);
    return {
      limit: await stage.underLoad(bare, requests),
      ours: await stage.underLoad(server, requests),
    };
  },
};

/** Fetches every bookmark once, in an order without order: a stride that shares no factor with the count. */
export function fetchEach(count: number): Request[] {
  const stride = 617;
  return Array.from({ length: count }, (_, index) => ({
    method: "GET",
    path: `/bookmarks/${((index * stride) % count) + 1}`,
  }));
}

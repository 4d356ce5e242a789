import { fetchBookmarks, SMALL } from "../requests.ts";
import type { Row } from "../row.ts";

export const fetchOne: Row = {
  name: "fetch-one",
  group: "bookmarks",
  figure: "fetch one bookmark",
  unit: "requests/s",
  limit: "a bare server doing the same look-up",
  goal: { atLeast: 0.5 },
  rounds: 7,
  async prepare(stage) {
    const database = await stage.sharedDatabase({ bookmarks: SMALL });
    const bare = await stage.bareServer("look-up", database);
    const server = await stage.server(database);
    const requests = fetchBookmarks(SMALL);
    return {
      limit: await stage.underLoad(bare, requests),
      ours: await stage.underLoad(server, requests),
    };
  },
};

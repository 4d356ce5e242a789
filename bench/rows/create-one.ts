import { createBookmarks, fetchBookmarks, SMALL } from "../requests.ts";
import type { Row } from "../row.ts";

export const createOne: Row = {
  name: "create-one",
  group: "bookmarks",
  figure: "create a bookmark, fsynced",
  unit: "requests/s",
  limit: "fetching one",
  goal: { atLeast: 0.2 },
  rounds: 7,
  async prepare(stage) {
    const server = await stage.server(await stage.database({ bookmarks: SMALL }));
    return {
      limit: await stage.underLoad(server, fetchBookmarks(SMALL)),
      ours: await stage.underLoad(server, createBookmarks(), { waits: true }),
    };
  },
};

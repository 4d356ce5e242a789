import { createBookmarks, createPosts, SMALL } from "../requests.ts";
import type { Row } from "../row.ts";

export const createPost: Row = {
  name: "create-post",
  group: "posts",
  figure: "create a post with a token, 64 clients",
  unit: "requests/s",
  limit: "creating a bookmark",
  goal: { atLeast: 0.4 },
  rounds: 5,
  async prepare(stage) {
    const database = await stage.database({ bookmarks: SMALL, posts: SMALL });
    const headers = await stage.accounts(database);
    const server = await stage.server(database);
    return {
      limit: await stage.underLoad(server, createBookmarks(headers), { waits: true }),
      ours: await stage.underLoad(server, createPosts(headers), { waits: true }),
    };
  },
};

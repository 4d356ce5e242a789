import { createPosts, fetchPosts, SMALL } from "../requests.ts";
import type { Row } from "../row.ts";

/** A single client waits for the disk. The limit runs the same statements and the same fsync, and nothing else. */
export const createPostAlone: Row = {
  name: "create-post-alone",
  group: "posts",
  figure: "create a post with a token, 1 client",
  unit: "requests/s",
  limit: "a bare server doing the same statements and fsync",
  rounds: 5,
  async prepare(stage) {
    const set = { posts: SMALL };
    const [database, bareDatabase] = [await stage.database(set), await stage.database(set)];
    const headers = await stage.accounts(database);
    const server = await stage.server(database);
    const bare = await stage.bareServer("create-post", bareDatabase);
    const alone = { connections: 1, waits: true };
    return {
      limit: await stage.underLoad(bare, createPosts({}), alone),
      ours: await stage.underLoad(server, createPosts(headers), alone),
    };
  },
};

export const createPost: Row = {
  name: "create-post",
  group: "posts",
  figure: "create a post with a token, 64 clients",
  unit: "requests/s",
  limit: "fetching one post",
  rounds: 5,
  async prepare(stage) {
    const database = await stage.database({ posts: SMALL });
    const headers = await stage.accounts(database);
    const server = await stage.server(database);
    return {
      limit: await stage.underLoad(server, fetchPosts(SMALL)),
      ours: await stage.underLoad(server, createPosts(headers), { waits: true }),
    };
  },
};

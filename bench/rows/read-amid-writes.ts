import { createPosts, firstPage, SMALL } from "../requests.ts";
import type { Row } from "../row.ts";

/** How much the cache helps while pages change all the time. */
export const readAmidWrites: Row = {
  name: "first-page-amid-writes",
  group: "posts",
  figure: "first page of 20 posts, beside 1 client that creates posts",
  unit: "requests/s",
  limit: "the same while nothing changes",
  aside: [
    { name: "first-page-amid-writes-rate", figure: "… and posts created meanwhile", unit: "requests/s" },
  ],
  rounds: 4,
  async prepare(stage) {
    const database = await stage.database({ posts: SMALL });
    const headers = await stage.accounts(database);
    const server = await stage.server(database);
    const read = await stage.underLoad(server, firstPage, { waits: true });
    const write = await stage.prepare(server, createPosts(headers), { connections: 1 });
    return {
      limit: read,
      async ours() {
        const [sample, { answered, seconds }] = await Promise.all([read(), write(1)]);
        return { ...sample, aside: [answered / seconds] };
      },
    };
  },
};

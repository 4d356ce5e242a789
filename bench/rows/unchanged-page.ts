import type { Request } from "../load.ts";
import { SMALL } from "../requests.ts";
import type { Row } from "../row.ts";

const PATH = "/api/posts/?page=3&ordering=title";

export const unchangedPage: Row = {
  name: "unchanged-page",
  group: "posts",
  figure: "a page by title that has not changed: 304",
  unit: "requests/s",
  limit: "a bare server that answers 304",
  rounds: 4,
  async prepare(stage) {
    const server = await stage.server(await stage.sharedDatabase({ posts: SMALL }));
    const etag = (await fetch(server.url + PATH)).headers.get("etag");
    if (etag === null) throw new Error(`${PATH} has no ETag`);
    const requests: Request[] = [{ method: "GET", path: PATH, headers: { "if-none-match": etag } }];
    const bare = await stage.bareServer("not-modified", etag);
    return {
      limit: await stage.underLoad(bare, requests),
      ours: await stage.underLoad(server, requests),
    };
  },
};

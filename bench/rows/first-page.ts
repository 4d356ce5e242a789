import { firstPage, SMALL } from "../requests.ts";
import type { Row } from "../row.ts";
import { againstSameBytes } from "../same-bytes.ts";

export const firstPageKept: Row = {
  name: "first-page",
  group: "posts",
  figure: "first page of 20 posts, cached",
  unit: "requests/s",
  limit: "a bare server sending the same bytes",
  goal: { atLeast: 0.45 },
  rounds: 7,
  async prepare(stage) {
    const server = await stage.server(await stage.sharedDatabase({ posts: SMALL }));
    return againstSameBytes(stage, server, firstPage);
  },
};

import { fetchPosts, firstPage, firstPageForBrowsers, freshPages, SMALL } from "../requests.ts";
import type { Row } from "../row.ts";
import { againstSameBytes } from "../same-bytes.ts";

const limit = "a bare server sending the same bytes";

/** One post of a thousand, all of which are soon cached. */
export const onePost: Row = {
  name: "one-post",
  group: "posts",
  figure: "one post, 3 comments",
  unit: "requests/s",
  limit: "a bare server sending the bytes of one",
  rounds: 4,
  async prepare(stage) {
    const server = await stage.server(await stage.sharedDatabase({ posts: SMALL }));
    return againstSameBytes(stage, server, fetchPosts(SMALL));
  },
};

export const firstPageKept: Row = {
  name: "first-page",
  group: "posts",
  figure: "first page of 20 posts, cached",
  unit: "requests/s",
  limit,
  goal: { atLeast: 0.7 },
  rounds: 7,
  async prepare(stage) {
    const server = await stage.server(await stage.sharedDatabase({ posts: SMALL }));
    return againstSameBytes(stage, server, firstPage);
  },
};

/** The home page, from the cache: it costs as little as the list of the API. */
export const frontPage: Row = {
  name: "front-page",
  group: "posts",
  figure: "front page of the site, cached",
  unit: "requests/s",
  limit: "the first page of 20 posts, cached",
  goal: { atLeast: 0.95 },
  rounds: 7,
  async prepare(stage) {
    const database = await stage.database({ posts: SMALL });
    await stage.accounts(database);
    const server = await stage.server(database);
    return {
      limit: await stage.underLoad(server, firstPage),
      ours: await stage.underLoad(server, [{ method: "GET", path: "/" }]),
    };
  },
};

export const firstPageCompressed: Row = {
  name: "first-page-compressed",
  group: "posts",
  figure: "first page of 20 posts, cached, as browsers request it",
  unit: "requests/s",
  limit,
  rounds: 4,
  async prepare(stage) {
    const server = await stage.server(await stage.sharedDatabase({ posts: SMALL }));
    return againstSameBytes(stage, server, firstPageForBrowsers);
  },
};

export const firstPageFresh: Row = {
  name: "first-page-fresh",
  group: "posts",
  figure: "first page of 20 posts, rendered",
  unit: "requests/s",
  limit,
  rounds: 4,
  async prepare(stage) {
    const server = await stage.server(await stage.sharedDatabase({ posts: SMALL }));
    return againstSameBytes(stage, server, freshPages(1), firstPage);
  },
};

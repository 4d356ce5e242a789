import type { DataSet } from "../data/fill.ts";
import type { Request } from "../load.ts";
import {
  createBookmarks,
  createPosts,
  DIFFERENT,
  fetchBookmarks,
  fetchPosts,
  firstPage,
  freshPages,
  SMALL,
} from "../requests.ts";
import type { Row } from "../row.ts";

type Headers = Readonly<Record<string, string>>;

/** A load that is measured on a small and on a big collection. */
interface Growing {
  readonly name: string;
  readonly figure: string;
  readonly of: keyof DataSet & ("bookmarks" | "posts");
  readonly writes?: boolean;
  /** The number of records in the small collection, if it is not {@link SMALL}. */
  readonly small?: number;
  requests(count: number, headers: Headers): readonly Request[];
}

const growing: readonly Growing[] = [
  {
    name: "fetch-one-of-many",
    figure: "fetch one bookmark of 1,000,000",
    of: "bookmarks",
    requests: (count) => fetchBookmarks(count),
  },
  {
    name: "create-one-of-many",
    figure: "create a bookmark beside 1,000,000",
    of: "bookmarks",
    writes: true,
    requests: () => createBookmarks(),
  },
  {
    name: "newest-of-many",
    figure: "the newest 20 bookmarks of 1,000,000",
    of: "bookmarks",
    requests: () => [{ method: "GET", path: "/bookmarks/?limit=20" }],
  },
  {
    name: "one-post-of-many",
    figure: "one post of 1,000,000",
    of: "posts",
    // More than the cache holds, in either collection.
    small: DIFFERENT,
    requests: (count) => fetchPosts(count),
  },
  {
    name: "first-page-of-many",
    figure: "first page of 1,000,000 posts, cached",
    of: "posts",
    requests: () => firstPage,
  },
  {
    name: "first-page-fresh-of-many",
    figure: "first page of 1,000,000 posts, rendered",
    of: "posts",
    requests: () => freshPages(1),
  },
  {
    name: "create-post-among-many",
    figure: "create a post beside 1,000,000, 64 clients",
    of: "posts",
    writes: true,
    requests: (_, headers) => createPosts(headers),
  },
];

/** The same load on a big collection, compared with a small one. */
export const growthRows: readonly Row[] = growing.map(
  ({ name, figure, of, writes = false, small = SMALL, requests }) => ({
    name,
    group: "growth",
    figure,
    unit: "requests/s",
    limit: `the same at ${small.toLocaleString("en")}`,
    goal: { atLeast: 0.7 },
    rounds: 4,
    async prepare(stage) {
      const measured = async (count: number) => {
        const set = { [of]: count };
        const database = await (writes ? stage.database(set) : stage.sharedDatabase(set));
        const headers = writes ? await stage.accounts(database) : {};
        const server = await stage.server(database);
        return stage.underLoad(server, requests(count, headers), { waits: writes });
      };
      return { limit: await measured(small), ours: await measured(stage.many) };
    },
  }),
);

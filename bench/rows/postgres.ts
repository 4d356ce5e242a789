import { postgresDatabase } from "../postgres.ts";
import {
  createBookmarks,
  createPosts,
  fetchBookmarks,
  firstPage,
  firstPageForBrowsers,
  SMALL,
} from "../requests.ts";
import type { Row } from "../row.ts";
import { againstSameBytes } from "../same-bytes.ts";

/** One core for each of two servers, one for the database and one for the load. */
const ENOUGH_CORES = 4;

const postgresFetch: Row = {
  name: "postgres-fetch-one",
  group: "postgres",
  figure: "PostgreSQL: fetch one bookmark",
  unit: "requests/s",
  limit: "a bare server running the same statement over the same driver",
  rounds: 5,
  async prepare(stage) {
    const database = await postgresDatabase(stage.cores, { bookmarks: SMALL });
    const requests = fetchBookmarks(SMALL);
    const bare = await stage.bareServer("postgres-look-up", database);
    const server = await stage.server(database);
    return {
      limit: await stage.underLoad(bare, requests, { waits: true }),
      ours: await stage.underLoad(server, requests),
    };
  },
};

const postgresCreate: Row = {
  name: "postgres-create-one",
  group: "postgres",
  figure: "PostgreSQL: create a bookmark",
  unit: "requests/s",
  limit: "a bare server running the same statements over the same driver",
  rounds: 5,
  async prepare(stage) {
    const set = { bookmarks: SMALL };
    const bare = await stage.bareServer("postgres-create", await postgresDatabase(stage.cores, set));
    const server = await stage.server(await postgresDatabase(stage.cores, set));
    return {
      limit: await stage.underLoad(bare, createBookmarks(), { waits: true }),
      ours: await stage.underLoad(server, createBookmarks(), { waits: true }),
    };
  },
};

const postgresFirstPage: Row = {
  name: "postgres-first-page",
  group: "postgres",
  figure: "PostgreSQL: first page of 20 posts, cached",
  unit: "requests/s",
  limit: "a bare server sending the same bytes",
  rounds: 5,
  async prepare(stage) {
    const server = await stage.server(await postgresDatabase(stage.cores, { posts: SMALL }));
    return againstSameBytes(stage, server, firstPage);
  },
};

const postgresFirstPageCompressed: Row = {
  ...postgresFirstPage,
  name: "postgres-first-page-compressed",
  figure: "PostgreSQL: first page of 20 posts, cached, as browsers request it",
  async prepare(stage) {
    const server = await stage.server(await postgresDatabase(stage.cores, { posts: SMALL }));
    return againstSameBytes(stage, server, firstPageForBrowsers);
  },
};

const twoProcesses: Row = {
  name: "postgres-two-processes",
  group: "postgres",
  figure: "PostgreSQL: two processes fetch one bookmark",
  unit: "requests/s",
  limit: "one process",
  goal: { atLeast: 1.6 },
  cores: ENOUGH_CORES,
  rounds: 5,
  async prepare(stage) {
    const database = await postgresDatabase(stage.cores, { bookmarks: SMALL });
    const requests = fetchBookmarks(SMALL);
    const measured = async (workers: number) =>
      stage.underLoad(await stage.server(database, { WORKERS: String(workers) }, "two"), requests, {
        waits: true,
      });
    return { limit: await measured(1), ours: await measured(2) };
  },
};

const twoWriters: Row = {
  name: "postgres-two-writers",
  group: "postgres",
  figure: "PostgreSQL: two clients create posts",
  unit: "requests/s",
  limit: "one client",
  goal: { atLeast: 1.6 },
  cores: ENOUGH_CORES,
  rounds: 5,
  async prepare(stage) {
    const database = await postgresDatabase(stage.cores, { posts: SMALL });
    const headers = await stage.accounts(database);
    const server = await stage.server(database);
    const measured = (connections: number) =>
      stage.underLoad(server, createPosts(headers), { connections, waits: true });
    return { limit: await measured(1), ours: await measured(2) };
  },
};

export const postgresRows: readonly Row[] = [
  postgresFetch,
  postgresCreate,
  postgresFirstPage,
  postgresFirstPageCompressed,
  twoProcesses,
  twoWriters,
];

import type { Request } from "../load.ts";
import { residentMiB } from "../memory.ts";
import { createBookmarks, createPosts, fetchBookmarks, fetchPosts, freshPages, SMALL } from "../requests.ts";
import type { Row } from "../row.ts";

export const fullLoad: Row = {
  name: "full-load",
  group: "process",
  figure: "memory after 2 minutes of mixed full load (RSS)",
  unit: "MiB",
  aside: [
    { name: "full-load-growth", figure: "… of which grown in the second minute", unit: "MiB" },
    { name: "full-load-rate", figure: "… and answers meanwhile", unit: "requests/s" },
  ],
  rounds: 1,
  async prepare(stage) {
    const database = await stage.database({ bookmarks: SMALL, posts: SMALL });
    const headers = await stage.accounts(database);
    const server = await stage.server(database);
    const half = stage.quick ? 5 : 60;
    return {
      async ours() {
        const fire = await stage.prepare(server, mixture(headers));
        const first = await fire(half);
        const halfway = residentMiB(server.pid);
        const second = await fire(half);
        const value = residentMiB(server.pid);
        const rate = (first.answered + second.answered) / (first.seconds + second.seconds);
        return { value, aside: [value - halfway, rate] };
      },
    };
  },
};

/** In twenty requests, fourteen read one record, three read a page, and three create a record. */
function mixture(headers: Readonly<Record<string, string>>): Request[] {
  const [bookmarks, posts] = [fetchBookmarks(SMALL), fetchPosts(SMALL)];
  const [pages, newBookmarks, newPosts] = [freshPages(1), createBookmarks(), createPosts(headers)];
  const newest: Request = { method: "GET", path: "/bookmarks/?limit=20" };
  const firstPage: Request = { method: "GET", path: "/api/posts/" };
  return Array.from({ length: 1_000 }, (_, index) => [
    ...bookmarks.slice((index * 10) % 990).slice(0, 10),
    ...posts.slice((index * 4) % 996).slice(0, 4),
    ...[newest, firstPage, pages[index]],
    ...[newBookmarks[2 * index], newBookmarks[2 * index + 1], newPosts[index]],
  ])
    .flat()
    .filter((request) => request !== undefined);
}

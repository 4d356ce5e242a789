import { beforeAll, expect, test } from "bun:test";
import { sendOver, watched } from "../../test/support/pages/site.ts";
import {
  createComment,
  describeBlog,
  POSTS,
  pathOf,
  readPage,
  storePosts,
} from "../../test/support/records/blog.ts";
import type { Send } from "../../test/support/requests/send.ts";

describeBlog(
  "The statements that a read takes",
  (blog) => {
    let statements: string[] = [];
    let stamps = 0;
    let send: Send;
    let sendCountingStamps: Send;

    beforeAll(async () => {
      const day = 24 * 60 * 60 * 1000;
      const posts = Array.from({ length: 100 }, (_, index) => ({ createdAt: new Date(index * day) }));
      const ids = await storePosts(blog.database, posts);
      for (const id of ids.slice(-20))
        for (let count = 0; count < 3; count++) await createComment(blog.anyone, { id }, { author: "Ada" });
      const counting = watched(blog.database, async (text) => {
        statements.push(text);
      });
      send = sendOver(counting);
      sendCountingStamps = sendOver({
        ...counting,
        stamp: () => {
          stamps++;
          return blog.database.stamp();
        },
        stampNow: () => {
          stamps++;
          return blog.database.stampNow();
        },
      });
    });

    const statementsOf = async (path: string, init?: RequestInit) => {
      statements = [];
      await send(path, init);
      return statements.length;
    };

    test("are as many for 100 posts as for one, and one of them fetches all comments", async () => {
      // Only the first one after a commit reads when the next scheduled post is due.
      await statementsOf(POSTS);
      expect(statements.filter((text) => text.includes("min(publish_at)"))).toHaveLength(1);
      const counts: number[] = [];
      for (const size of [1, 2, 20, 100]) {
        counts.push(await statementsOf(`${POSTS}?page_size=${size}`));
        expect(statements.filter((text) => text.includes("from comments"))).toHaveLength(1);
        expect(statements.filter((text) => /as content,\s+published/.test(text))).toHaveLength(1);
      }
      expect(new Set(counts).size).toBe(1);
      const { results } = await readPage(blog.anyone, POSTS);
      expect(results.flatMap(({ comments }) => comments)).toHaveLength(60);
    });

    test("are two more for a deep page, which finds its month and its day, however deep it is", async () => {
      const first = await statementsOf(`${POSTS}?page=1&page_size=10`);
      for (const page of [2, 5, 10])
        expect(await statementsOf(`${POSTS}?page=${page}&page_size=10`)).toBe(first + 2);
    });

    test("are none for a cached page or post while nothing is written", async () => {
      const post = (await readPage(blog.anyone, POSTS)).results[0];
      const paths = [`${POSTS}?page=3`, pathOf(post ?? { id: 0, published: true })];
      for (const [index, path] of paths.entries()) {
        const counts = await undisturbed(async (round) => {
          const fresh = `${path}${index === 0 ? "&" : "?"}${round}`;
          const first = await statementsOf(fresh);
          const second = await statementsOf(fresh);
          const etag = (await send(fresh)).headers.get("etag") ?? "";
          return {
            first,
            later: [second, await statementsOf(fresh, { headers: { "if-none-match": etag } })],
          };
        });
        expect(counts.first).toBePositive();
        expect(counts.later).toEqual([0, 0]);
      }
    });

    /** Repeats work until nothing was committed during it: on PostgreSQL, a commit in any database of the server voids cached pages. */
    async function undisturbed<T>(work: (round: number) => Promise<T>): Promise<T> {
      for (let round = 0; ; round++) {
        const before = await blog.database.stamp();
        const result = await work(round);
        if ((await blog.database.stamp()) === before) return result;
      }
    }

    test("include one stamp of the last commit for a cached page or feed", async () => {
      for (const path of ["/", "/feed.atom", POSTS]) {
        const counts = await undisturbed(async () => {
          await sendCountingStamps(path);
          stamps = 0;
          const { status } = await sendCountingStamps(path);
          return { status, stamps };
        });
        expect({ path, ...counts }).toEqual({ path, status: 200, stamps: 1 });
      }
    });

    test("neither fetch posts nor comments for a 304", async () => {
      const etag = (await send(POSTS)).headers.get("etag") ?? "";
      const path = `${POSTS}?page_size=50`;
      expect((await send(path, { headers: { "if-none-match": etag } })).status).toBe(304);
      expect(await statementsOf(`${path}&a`, { headers: { "if-none-match": etag } })).toBePositive();
      expect(statements.filter((text) => /as content,\s+published|from comments/.test(text))).toEqual([]);
    });
  },
  { COMMENTS: "open" },
);

import { describe, expect, test } from "bun:test";
import { sendOver, watched } from "../../support/pages/site.ts";
import {
  createComment,
  createPost,
  describeBlog,
  type Envelope,
  POSTS,
  pathOf,
  read,
  storePosts,
} from "../../support/records/blog.ts";

const PAGE = `${POSTS}?page_size=1000`;
/** Far more than its share of a page of a thousand. */
const LONG = "x".repeat(300_000);

const longPosts = Array.from({ length: 12 }, (_, index) => ({ content: LONG, createdAt: new Date(index) }));

describeBlog("A page that is longer than fits into memory", (blog) => {
  const changes: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    deleted: (path) => blog.editor(path, { method: "DELETE" }),
    "made a draft": (path) => blog.editor(path, { method: "PATCH", json: { published: false } }),
    changed: (path) => blog.editor(path, { method: "PATCH", json: { content: `${LONG}!` } }),
    "commented on": (path) => createComment(blog.editor, { id: Number(/\d+/.exec(path)?.[0]) }),
  };

  for (const [change, make] of Object.entries(changes))
    describe(`of which a post is ${change} while it is sent`, () => {
      test("is aborted instead of mixing two states", async () => {
        const [oldest = 0] = await storePosts(blog.database, longPosts);
        const reader = (await blog.anyone(PAGE)).body?.getReader();
        expect((await reader?.read())?.done).toBeFalse();
        await make(pathOf({ id: oldest, published: true }));
        const rest = async () => {
          while (!(await reader?.read())?.done);
        };
        await expect(rest()).rejects.toThrow(`post ${oldest} has changed since it was listed`);
        const after = await read<Envelope>(blog.anyone, PAGE);
        expect(after.results).toHaveLength(after.count);
        await Promise.all(after.results.map((post) => blog.editor(pathOf(post), { method: "DELETE" })));
      });

      test("shows the state from before if it is short enough to be read at once", async () => {
        const [oldest = 0] = await storePosts(blog.database, longPosts.slice(0, 6));
        let changed: Promise<unknown> | undefined;
        const database = watched(blog.database, async (text) => {
          if (!text.includes("case when octet_length") || changed !== undefined) return;
          changed = make(pathOf({ id: oldest, published: true }));
          await changed;
        });
        const { count, results } = (await (await sendOver(database)(PAGE)).json()) as Envelope;
        expect([await changed, count, results.length]).toEqual([expect.anything(), 6, 6]);
        expect(results.at(-1)).toMatchObject({ id: oldest, content: LONG, comments: [] });
        const after = await read<Envelope>(blog.anyone, PAGE);
        expect(after).not.toEqual({ count, results });
        await Promise.all(results.map((post) => blog.editor(pathOf(post), { method: "DELETE" })));
      });
    });
});

describeBlog("A page of matches", (blog) => {
  for (const change of [{ method: "DELETE" }, { method: "PATCH", json: { published: false } }])
    test(`does not count a post that is gone (${change.method}) when the page is read`, async () => {
      const posts = [await createPost(blog.editor), await createPost(blog.editor)];
      const [first] = posts;
      await read<Envelope>(blog.anyone, `${POSTS}?search=light`);
      let changed: Promise<unknown> | undefined;
      const database = watched(blog.database);
      const apart = database.readApart.bind(database);
      const hooked = Object.assign(database, {
        readApart(deadline: number) {
          const sql = apart(deadline);
          const found: typeof sql = Object.assign(
            async <Row>(...statement: Parameters<typeof sql>) => {
              const rows = await sql<Row>(...statement);
              changed ??= blog.editor(pathOf(first ?? { id: 0, published: true }), change);
              await changed;
              return rows;
            },
            { engine: "sqlite" as const, slot: 0 },
          );
          return found;
        },
      });
      const { count, results } = (await (await sendOver(hooked)(`${POSTS}?search=light`)).json()) as Envelope;
      expect({ count, ids: results.map(({ id }) => id) }).toEqual({ count: 1, ids: [posts[1]?.id ?? 0] });
      for (const { id } of posts) await blog.editor(`${POSTS}${id}/`, { method: "DELETE" });
    });
});

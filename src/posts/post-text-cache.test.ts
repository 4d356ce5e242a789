import { beforeAll, expect, test } from "bun:test";
import { createComment, describeBlog, storePosts } from "../../test/support/records/blog.ts";
import type { Sql } from "../database/database.ts";
import { listPosts } from "./post-pagination.ts";
import { findPost, updatePost } from "./post-store.ts";
import { PostTextCache } from "./post-text-cache.ts";
import { postsAsJson } from "./post-texts.ts";

const PAGE = { ordering: "id", offset: 0, limit: 20, bytes: 100_000 } as const;

describeBlog(
  "Kept texts of posts",
  (blog) => {
    let ids: number[] = [];
    let texts: PostTextCache;
    let reads: string[] = [];
    /** Runs before the comments are read. */
    let beforeComments: () => Promise<unknown> = async () => {};
    const read: Sql = Object.assign(
      (async (template: TemplateStringsArray, ...values) => {
        const text = template.join("?");
        reads.push(text);
        if (text.includes("from comments")) await beforeComments();
        return blog.database.read(template, ...values);
      }) as Sql,
      { slot: 0 },
    );
    const page = async () => {
      reads = [];
      return (await texts.ofPage(read, "posts", PAGE))?.join(",");
    };
    const asAWhole = async () => {
      const posts = await listPosts(blog.database.read, "posts", PAGE);
      return (await Array.fromAsync(postsAsJson(blog.database.read, "posts", posts))).join(",");
    };

    beforeAll(async () => {
      texts = new PostTextCache(blog.database);
      ids = await storePosts(
        blog.database,
        Array.from({ length: 10 }, (_, index) => ({ createdAt: new Date(index) })),
      );
      await createComment(blog.anyone, { id: ids[3] ?? 0 }, { author: "Ada" });
    });

    test("are what posts are read as, and of the second page on only their versions are read", async () => {
      if (blog.database.engine === "postgres") return expect(await page()).toBeUndefined();
      expect(await page()).toBe(await asAWhole());
      expect(reads).toHaveLength(3);
      expect(await page()).toBe(await asAWhole());
      expect(reads).toHaveLength(1);
    });

    test("are read again for a post that has changed, and for one with a new comment", async () => {
      if (blog.database.engine === "postgres") return;
      await change(ids[1] ?? 0, "Changed");
      expect(await page()).toContain('"title":"Changed"');
      expect(reads).toHaveLength(3);
      await createComment(blog.anyone, { id: ids[2] ?? 0 }, { author: "Grace" });
      expect(await page()).toContain('"author":"Grace"');
      expect(await page()).toBe(await asAWhole());
      expect(reads).toHaveLength(1);
    });

    test("are not cached when something was committed while they were read", async () => {
      if (blog.database.engine === "postgres") return;
      const [id = 0] = ids;
      await change(id, "Before");
      await blog.database.snapshot(async (earlier) => {
        await earlier`select id from posts`;
        beforeComments = () => createComment(blog.anyone, { id }, { author: "Between" });
        expect(await page()).toContain("Between");
        beforeComments = async () => {};
        // If the text were cached, it would be stored under the versions from before the comment.
        expect((await texts.ofPage(earlier, "posts", PAGE))?.join(",")).not.toContain("Between");
      });
      expect(await page()).toBe(await asAWhole());
    });

    test("stay in their page when another page evicts them while the rest is read", async () => {
      if (blog.database.engine === "postgres") return;
      const [first = 0, second = 0] = ids;
      await page();
      await change(second, "Unknown as yet");
      await blog.database.snapshot(async (earlier) => {
        await earlier`select id from posts`;
        const expected = (await listPosts(earlier, "posts", PAGE)).map(({ id }) => id);
        const slow: Sql = Object.assign(
          (async (template: TemplateStringsArray, ...values) => {
            if (template.join("?").includes("from comments")) {
              await change(first, "Newer");
              await page();
            }
            return earlier(template, ...values);
          }) as Sql,
          { slot: 0 },
        );
        const items = (await texts.ofPage(slow, "posts", PAGE)) ?? [];
        expect(JSON.parse(`[${items.join(",")}]`).map(({ id }: { id: number }) => id)).toEqual(expected);
      });
    });

    test("are not used for a page with a long post", async () => {
      if (blog.database.engine === "postgres") return;
      await change(ids[5] ?? 0, "Long", "x".repeat(10_000));
      expect(await page()).toBeUndefined();
    });

    async function change(id: number, title: string, content = ""): Promise<void> {
      await blog.database.write(async (sql) => {
        const post = await findPost(sql, "posts", id);
        if (post !== undefined) await updatePost(sql, post, { title, content, published: true }, new Date());
      });
    }
  },
  { COMMENTS: "open" },
);

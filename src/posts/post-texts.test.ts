import { expect, test } from "bun:test";
import { describeBlog } from "../../test/support/records/blog.ts";
import type { Sql } from "../database/database.ts";
import { listPosts } from "./post-pagination.ts";
import { insertPost } from "./post-store.ts";
import { postsAsJson } from "./post-texts.ts";

const LONG = 50_000;
const AT_ONCE = 20_000;

describeBlog("The texts of posts", (blog) => {
  const listed = () => {
    const page = { ordering: ["id"], offset: 0, limit: 40, bytes: AT_ONCE } as const;
    return listPosts(blog.database.read, "posts", page);
  };

  test("are one piece when the posts are short", async () => {
    await store(20, 100);
    const pieces = await Array.fromAsync(postsAsJson(blog.database.read, "posts", await listed()));
    expect(pieces).toHaveLength(1);
    expect(JSON.parse(`[${pieces}]`)).toHaveLength(20);
  });

  test("are never much longer than a few long ones, whatever the page", async () => {
    await store(20, LONG);
    const posts = await listed();
    expect(posts.filter(({ content }) => content === undefined)).toHaveLength(20);
    const pieces = await Array.fromAsync(postsAsJson(blog.database.read, "posts", posts));
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(5 * LONG);
    expect(JSON.parse(`[${pieces}]`)).toHaveLength(40);
  });

  test("are read on demand", async () => {
    let reads = 0;
    const counting = Object.assign(
      ((...given: Parameters<Sql>) => {
        reads++;
        return blog.database.read(...given);
      }) as Sql,
      { engine: "sqlite" as const, slot: 0 },
    );
    const texts = postsAsJson(counting, "posts", await listed());
    await texts.next();
    const first = reads;
    await texts.next();
    await texts.next();
    await texts.return(undefined);
    expect(first).toBeLessThan(reads);
    expect(reads).toBeLessThan(20);
  });

  test("are refused when a long one was deleted after it was listed", async () => {
    const posts = await listed();
    const gone = posts.at(-1)?.id ?? 0;
    await blog.database.write((sql) => sql`delete from posts where id = ${gone}`);
    await expect(Array.fromAsync(postsAsJson(blog.database.read, "posts", posts))).rejects.toThrow(
      `post ${gone} has changed since it was listed`,
    );
  });

  async function store(count: number, length: number): Promise<void> {
    await blog.database.write(async (sql) => {
      for (let index = 0; index < count; index++)
        await insertPost(
          sql,
          { title: "A post", content: "x".repeat(length), published: true },
          undefined,
          new Date(),
        );
    });
  }
});

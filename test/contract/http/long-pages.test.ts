import { expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import type { Database } from "../../../src/database/database.ts";
import { openBeside } from "../../support/databases/database.ts";
import { nextOf } from "../../support/pages/pages.ts";
import {
  type BlogSuite,
  createComment,
  createPost,
  describeBlog,
  type Envelope,
  read,
} from "../../support/records/blog.ts";
import type { Send } from "../../support/requests/send.ts";
import { casesOf } from "../../support/run/full-run.ts";
import { describeContract } from "../../support/server/contract.ts";

/** Lengths of texts: every third is short, the others are as long as bodies let them be. */
const LENGTHS = Array.from({ length: 45 }, (_, index) => (index % 3 === 0 ? 10 : 900_000 + index));

describeBlog("A page of very long posts", (blog) => {
  let ids: readonly number[] = [];

  test("is complete and consistent", async () => {
    ids = await storePosts(blog);
    const response = await blog.anyone("/api/posts/?page_size=44");
    const { count, next, previous, results } = (await response.json()) as Envelope;
    expect({ count, previous }).toEqual({ count: 45, previous: null });
    expect(next).toBe("http://localhost/api/posts/?page_size=44&page=2");
    expect(results.map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
    expect(results.map(({ content }) => content.length)).toEqual(LENGTHS.slice(1).toReversed());
    expect(results[7]).toEqual(await read(blog.anyone, `/api/posts/${results[7]?.id}/`));

    const headers = { "if-none-match": response.headers.get("etag") ?? "" };
    expect((await blog.anyone("/api/posts/?page_size=44", { headers })).status).toBe(304);
    const last = await read<Envelope>(blog.anyone, "/api/posts/?page_size=44&page=2");
    expect(last.results.map(({ id }) => id)).toEqual(ids.slice(0, 1));
  });

  test("is so in every order", async () => {
    for (const ordering of casesOf(["-title", "created_at", "-created_at", "id", "-id", "title"], 0)) {
      const page = await blog.anyone(`/api/posts/?page_size=30&ordering=${ordering}`);
      const { results } = (await page.json()) as Envelope;
      expect(results).toHaveLength(30);
      for (const { id, content } of results) expect(content.length).toBe(LENGTHS[ids.indexOf(id)] ?? 0);
    }
  });

  test("of the usual size, with more comments than are read at once, has all of them", async () => {
    const posts = [
      await createPost(blog.editor),
      await createPost(blog.editor),
      await createPost(blog.editor),
    ];
    await blog.database.write(async (sql) => {
      for (const { id } of posts)
        for (let n = 0; n < 900; n++)
          await sql`
            insert into comments (post_id, author, text, status, created_at)
            values (${id}, 'Ada', ${`${id} ${n}`}, 'shown', ${new Date(n)})`;
    });
    await createComment(blog.editor, posts[0] ?? { id: 0 }, { text: "last" });
    const { results } = await read<Envelope>(blog.anyone, "/api/posts/?page_size=3");
    expect(results.map(({ comments }) => comments.length)).toEqual([900, 900, 901]);
    for (const { id, comments } of results)
      expect(comments.slice(0, 900).map(({ text }) => text)).toEqual(
        Array.from({ length: 900 }, (_, n) => `${id} ${n}`),
      );
  });
});

describeContract("A list of bookmarks with very long descriptions", (service) => {
  test("is complete, in pages too, with each bookmark once", async () => {
    const database = await openBeside(service.databaseUrl);
    await storeBookmarks(database);
    await database.close();
    const expected = LENGTHS.map((_, index) => String(index)).toReversed();

    const whole = (await (await service.send("/bookmarks/")).json()) as BookmarkResponse[];
    expect(whole.map(({ title }) => title)).toEqual(expected);
    expect(whole.map(({ description }) => description.length)).toEqual(LENGTHS.toReversed());
    for (const limit of casesOf([7, 1, 22, 44, 45, 1000], 0)) {
      const pages = await followed(service.send, limit);
      expect(pages.map((page) => page.length)).toEqual(sizes(LENGTHS.length, limit));
      expect(pages.flat().map(({ title }) => title)).toEqual(expected);
    }
  });
});

/** Posts with contents of these lengths, the oldest first. @returns their ids */
async function storePosts({ editor }: Pick<BlogSuite, "editor">): Promise<number[]> {
  const ids: number[] = [];
  for (const length of LENGTHS) ids.push((await createPost(editor, { content: "x".repeat(length) })).id);
  return ids;
}

async function storeBookmarks(database: Database): Promise<void> {
  await database.write(async (sql) => {
    for (const [index, length] of LENGTHS.entries())
      await sql`
        insert into bookmarks (title, url, description, created_at, updated_at)
        values (${String(index)}, 'https://example.com/', ${"x".repeat(length)}, ${new Date(index)}, ${new Date(index)})`;
  });
}

/** The pages that one gets by following each to the next. */
async function followed(send: Send, limit: number): Promise<BookmarkResponse[][]> {
  const pages: BookmarkResponse[][] = [];
  for (let path: string | undefined = `/bookmarks/?limit=${limit}`; path !== undefined; ) {
    const response: Response = await send(path);
    pages.push((await response.json()) as BookmarkResponse[]);
    path = nextOf(response);
  }
  return pages;
}

/** How many are on each page of so many. */
function sizes(count: number, limit: number): number[] {
  const full = Math.floor(count / limit);
  return [...Array<number>(full).fill(limit), ...(count % limit === 0 ? [] : [count % limit])];
}

import { expect, test } from "bun:test";
import {
  COMMENTS,
  createComment,
  createPost,
  describeBlog,
  POSTS,
  pathOf,
} from "../../support/records/blog.ts";
import { rounds } from "../../support/run/full-run.ts";

const READS = rounds(5, 100);
const WRITERS = 12;

interface PostPage {
  readonly count: number;
  readonly results: readonly unknown[];
}

describeBlog("A page of posts that are written all the time", (blog) => {
  test(`has as many results as its count, in each of ${READS} reads`, async () => {
    expect(await readWhileWriting(READS)).toEqual([]);
  });

  test("has as many when it is too long for the cache", async () => {
    const content = "x".repeat(15_000);
    for (let count = 0; count < 150; count++) await createPost(blog.editor, { content });
    expect(await readWhileWriting(READS / 5)).toEqual([]);
  });

  /** @returns the pages that were wrong */
  async function readWhileWriting(reads: number): Promise<string[]> {
    let isWriting = true;
    const write = async () => {
      while (isWriting) await blog.editor(pathOf(await createPost(blog.editor)), { method: "DELETE" });
    };
    const writing = Array.from({ length: WRITERS }, write);
    const wrong: string[] = [];
    for (let read = 0; read < reads; read++) {
      const response = await blog.anyone(`${POSTS}?page_size=${1_000 - read}`);
      expect(response.status).toBe(200);
      const { count, results } = (await response.json()) as PostPage;
      if (count !== results.length) wrong.push(`${count} and ${results.length}`);
    }
    isWriting = false;
    await Promise.all(writing);
    return wrong;
  }
});

describeBlog("A page of comments that are written all the time", (blog) => {
  test(`has as many results as its count, in each of ${READS} reads`, async () => {
    const post = await createPost(blog.editor);
    let isWriting = true;
    const write = async () => {
      while (isWriting) {
        const { id } = await createComment(blog.editor, post);
        await blog.editor(`${COMMENTS}${id}`, { method: "DELETE" });
      }
    };
    const writing = Array.from({ length: WRITERS }, write);
    const wrong: string[] = [];
    for (let read = 0; read < READS; read++) {
      const response = await blog.editor(`${COMMENTS}?status=shown&page_size=1000`);
      expect(response.status).toBe(200);
      const { count, results } = (await response.json()) as PostPage;
      if (count !== results.length) wrong.push(`${count} and ${results.length}`);
    }
    isWriting = false;
    await Promise.all(writing);
    expect(wrong).toEqual([]);
  });
});

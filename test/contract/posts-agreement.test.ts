import { expect, test } from "bun:test";
import { COMMENTS, createComment, createPost, describeBlog, POSTS, pathOf } from "../support/blog.ts";

const READS = 100;
const WRITERS = 12;

interface PostPage {
  readonly count: number;
  readonly results: readonly unknown[];
}

describeBlog("A page of posts that are written all the time", (blog) => {
  for (const [what, size] of [
    ["", 5],
    [" that is sent in pieces", 300_000],
  ] as const)
    test(`has as many results as its count tells, in each of ${READS} reads${what}`, async () => {
      const content = "x".repeat(size);
      let isWriting = true;
      const write = async () => {
        while (isWriting) {
          const post = await createPost(blog.editor, { content });
          await blog.editor(pathOf(post), { method: "DELETE" });
        }
      };
      const writing = Array.from({ length: WRITERS }, write);
      const wrong: string[] = [];
      for (let read = 0; read < (size > 5 ? READS / 5 : READS); read++) {
        const response = await blog.anyone(`${POSTS}?page_size=${1_000 - (read % 500)}`);
        const { count, results } = (await response.json()) as PostPage;
        if (count !== results.length) wrong.push(`${count} and ${results.length}`);
      }
      isWriting = false;
      await Promise.all(writing);
      expect(wrong).toEqual([]);
    });
});

describeBlog("A page of comments that are written all the time", (blog) => {
  test(`has as many results as its count tells, in each of ${READS} reads`, async () => {
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
      const { count, results } = (await response.json()) as PostPage;
      if (count !== results.length) wrong.push(`${count} and ${results.length}`);
    }
    isWriting = false;
    await Promise.all(writing);
    expect(wrong).toEqual([]);
  });
});

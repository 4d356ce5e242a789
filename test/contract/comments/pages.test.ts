import { describe, expect, test } from "bun:test";
import type { CommentResponse } from "../../../src/posts/comments/comment.ts";
import {
  COMMENT_MEMBERS,
  COMMENTS,
  commentsOf,
  createComment,
  createPost,
  describeBlog,
  etagOf,
  pathOf,
  read,
  readPage,
} from "../../support/records/blog.ts";
import { expectProblem } from "../../support/requests/problems.ts";

const pageOf = readPage<CommentResponse>;

describeBlog("The page of a post's comments", (blog) => {
  test("has the comments that the post shows, oldest first, in the envelope of every list", async () => {
    const post = await createPost(blog.editor);
    expect(await pageOf(blog.anyone, commentsOf(post))).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
    for (const text of ["1", "2", "3"]) await createComment(blog.editor, post, { text });
    const page = await pageOf(blog.anyone, commentsOf(post));
    expect(page.count).toBe(3);
    expect(page.results).toEqual((await read(blog.anyone, pathOf(post))).comments);
    expect(Object.keys(page.results[0] ?? {})).toEqual(COMMENT_MEMBERS);
  });

  test("has twenty of them unless page_size is given, and links to the next", async () => {
    const post = await createPost(blog.editor);
    for (let index = 0; index < 21; index++) await createComment(blog.editor, post, { text: `${index}` });
    const first = await pageOf(blog.anyone, commentsOf(post));
    expect(first.results).toHaveLength(20);
    expect(first.next).toBe(`http://localhost${commentsOf(post)}?page=2`);
    const last = await pageOf(blog.anyone, `${commentsOf(post)}?page=last&page_size=8`);
    expect(last.results.map(({ text }) => text)).toEqual(["16", "17", "18", "19", "20"]);
    expect(last.previous).toBe(`http://localhost${commentsOf(post)}?page=2&page_size=8`);
    await expectProblem(await blog.anyone(`${commentsOf(post)}?page=3`), 404);
    await expectProblem(await blog.anyone(`${commentsOf(post)}?page=x`), 422);
  });

  test("leaves out comments that wait or were rejected", async () => {
    const post = await createPost(blog.editor);
    const moderated = blog.servedWith({ COMMENTS: "moderated" });
    await createComment(moderated.anyone, post, { author: "Someone" });
    const rejected = await createComment(blog.editor, post);
    const json = { status: "rejected" };
    await blog.editor(`${COMMENTS}${rejected.id}/`, { method: "PUT", json });
    const shown = await createComment(blog.editor, post, { text: "Shown" });
    const page = await pageOf(blog.anyone, commentsOf(post));
    expect(page).toMatchObject({ count: 1, results: [shown] });
  });

  test("exists even while comments are off", async () => {
    const post = await createPost(blog.editor);
    const closed = blog.servedWith({ COMMENTS: "off" });
    expect((await closed.anyone(commentsOf(post))).status).toBe(200);
    const refused = await closed.editor(commentsOf(post), { method: "POST", json: { text: "x" } });
    await expectProblem(refused, 405);
  });

  describe("is readable like the post:", () => {
    test("404 for a missing post or a draft", async () => {
      const draft = await createPost(blog.editor, { published: false });
      for (const id of [draft.id, 999_999, 0])
        await expectProblem(await blog.editor(commentsOf({ id })), 404);
    });

    test("401 for others if posts are private", async () => {
      const post = await createPost(blog.editor);
      const closed = blog.servedWith({ POSTS_ACCESS: "private" });
      await expectProblem(await closed.anyone(commentsOf(post)), 401);
      const { headers } = await closed.editor(commentsOf(post));
      expect(headers.get("cache-control")).toBe("private, no-store, no-transform");
    });
  });

  test("has a strong ETag, which changes with the comments and only with them", async () => {
    const post = await createPost(blog.editor);
    const path = commentsOf(post);
    const before = await etagOf(blog.anyone, path);
    const comment = await createComment(blog.editor, post);
    const after = await etagOf(blog.anyone, path);
    expect(after).not.toBe(before);
    await blog.editor(pathOf(post), { method: "PATCH", json: { title: "Other" } });
    expect(await etagOf(blog.anyone, path)).toBe(after);
    const headers = { "if-none-match": after };
    expect((await blog.anyone(path, { headers })).status).toBe(304);
    await blog.editor(`${COMMENTS}${comment.id}/`, { method: "DELETE" });
    expect((await blog.anyone(path, { headers })).status).toBe(200);
  });
});

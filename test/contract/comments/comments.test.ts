import { describe, expect, test } from "bun:test";
import type { CommentResponse } from "../../../src/posts/comments/comment.ts";
import { useLimits } from "../../support/given/use-limits.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import {
  type Blog,
  bodyOf,
  COMMENT_MEMBERS,
  COMMENTS,
  commentsOf,
  createComment,
  createPost,
  DRAFTS,
  describeBlog,
  etagOf,
  POSTS,
  pathOf,
  read,
  readPage,
} from "../../support/records/blog.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";

const FACE = "\u{1f600}";
const SAME_SITE = { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" };

describeBlog("POST /api/posts/{id}/comments/", (blog) => {
  test("answers 201 with exactly the four members of a comment, in the order of the specification", async () => {
    const post = await createPost(blog.editor);
    const before = Date.now();
    const json = { author: "Ada", text: "Welcome!" };
    const response = await blog.editor(commentsOf(post), { method: "POST", json });
    expect(response.status).toBe(201);
    expect(response.headers.get("content-type")).toBe("application/json");
    const comment = await bodyOf<CommentResponse>(response);
    expect(Object.keys(comment)).toEqual(COMMENT_MEMBERS);
    expect(comment).toMatchObject(json);
    expect(comment.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(comment.created_at)).toBeWithin(before, Date.now() + 1);
    expect(response.headers.get("location")).toBe(`${COMMENTS}${comment.id}/`);
  });

  test("puts the comment under its post, where GET of the post and of the list show it, oldest first", async () => {
    const post = await createPost(blog.editor);
    const other = await createPost(blog.editor);
    const made: CommentResponse[] = [];
    for (const text of ["first", "second", "third"])
      made.push(await createComment(blog.editor, post, { text }));
    const found = await read(blog.anyone, pathOf(post));
    expect(found).toEqual({ ...post, comments: made });
    for (const comment of found.comments) expect(Object.keys(comment)).toEqual(COMMENT_MEMBERS);
    const { results } = await readPage(blog.anyone, POSTS);
    expect(results.slice(0, 2)).toEqual([other, found]);
  });

  test("uses the account's name as the default author", async () => {
    const key = await makeToken(blog.database, await makeAccount(blog.database, "Grace.Hopper"));
    const grace = withToken(blog.anyone, key);
    const post = await createPost(blog.editor);
    expect((await createComment(grace, post)).author).toBe("Grace.Hopper");
    expect((await createComment(grace, post, { author: "G." })).author).toBe("G.");
  });

  test("takes an author of 1 to 100 and a text of 1 to 10,000 characters, counted as code points and kept as sent", async () => {
    const post = await createPost(blog.editor);
    for (const author of ["x", " ", FACE.repeat(100)])
      expect((await createComment(blog.editor, post, { author })).author).toBe(author);
    for (const text of ["x", " \r\n\t", `e\u0301${FACE.repeat(9_998)}`])
      expect((await createComment(blog.editor, post, { text })).text).toBe(text);
  });

  test("refuses an invalid author and text with all errors at once, and stores nothing", async () => {
    const post = await createPost(blog.editor);
    const wrong = [
      [{}, "/text", "missing"],
      [{ text: "" }, "/text", "too_short"],
      [{ text: "x".repeat(10_001) }, "/text", "too_long"],
      [{ text: FACE.repeat(10_001) }, "/text", "too_long"],
      [{ text: 1 }, "/text", "wrong_type"],
      [{ text: null }, "/text", "wrong_type"],
      [{ text: "a\0" }, "/text", "bad_character"],
      [{ text: "\ud800" }, "/text", "bad_character"],
      [{ author: "", text: "x" }, "/author", "too_short"],
      [{ author: "x".repeat(101), text: "x" }, "/author", "too_long"],
      [{ author: 1, text: "x" }, "/author", "wrong_type"],
      [{ author: null, text: "x" }, "/author", "wrong_type"],
      [{ author: "\0", text: "x" }, "/author", "bad_character"],
    ] as const;
    for (const [json, pointer, code] of wrong)
      await expectErrors(await blog.editor(commentsOf(post), { method: "POST", json }), { pointer, code });
    await expectErrors(
      await blog.editor(commentsOf(post), { method: "POST", json: { author: "", text: 1 } }),
      { pointer: "/author", code: "too_short" },
      { pointer: "/text", code: "wrong_type" },
    );
    expect(await read(blog.anyone, pathOf(post))).toEqual(post);
  });

  test("ignores members that it does not know or that are not the client's to set", async () => {
    const post = await createPost(blog.editor);
    const json = {
      text: "Hi.",
      id: 1,
      created_at: "1999-01-01T00:00:00.000Z",
      status: "rejected",
      post: 4711,
    };
    const response = await blog.editor(commentsOf(post), { method: "POST", json });
    expect(response.status).toBe(201);
    const comment = await bodyOf<CommentResponse>(response);
    expect(Object.keys(comment)).toEqual(COMMENT_MEMBERS);
    expect(Date.parse(comment.created_at)).toBeGreaterThanOrEqual(Date.parse(post.created_at));
    expect((await read(blog.anyone, pathOf(post))).comments).toEqual([comment]);
  });

  test("of a missing post or a draft answers 404; of an invalid id, 422", async () => {
    const draft = await createPost(blog.editor, { published: false });
    const init = { method: "POST", json: { text: "Psst." } };
    for (const id of ["4711", "0", "-1", "9".repeat(30), draft.id])
      await expectProblem(await blog.editor(`${POSTS}${id}/comments/`, init), 404);
    await expectErrors(await blog.editor(`${POSTS}abc/comments/`, init), {
      parameter: "id",
      code: "not_an_integer",
    });
    expect((await blog.editor(`${DRAFTS}${draft.id}/comments/`, init)).status).toBe(404);
  });

  test("never uses an id again, not even the last one after its comment is deleted", async () => {
    const post = await createPost(blog.editor);
    const gone = await createComment(blog.editor, post);
    expect((await blog.editor(`${COMMENTS}${gone.id}/`, { method: "DELETE" })).status).toBe(204);
    expect((await createComment(blog.editor, post)).id).toBeGreaterThan(gone.id);
  });

  test("honors If-Match and If-None-Match against the post's entity tag", async () => {
    const post = await createPost(blog.editor);
    const comment = (headers: Record<string, string>) =>
      blog.editor(commentsOf(post), { method: "POST", headers, json: { text: "Yes!" } });
    const etag = await etagOf(blog.anyone, pathOf(post));
    for (const tag of ['"another"', `W/"another"`])
      await expectProblem(await comment({ "if-match": tag }), 412);
    for (const tag of ["*", etag]) await expectProblem(await comment({ "if-none-match": tag }), 412);
    expect((await read(blog.anyone, pathOf(post))).comments).toEqual([]);
    // Other comments refuse nobody, another text of the post does.
    for (let count = 0; count < 2; count++) expect((await comment({ "if-match": etag })).status).toBe(201);
    await blog.editor(pathOf(post), { method: "PATCH", json: { title: "Other" } });
    await expectProblem(await comment({ "if-match": etag }), 412);
    expect((await comment({ "if-match": "*" })).status).toBe(201);
  });

  test("loses none of many at once", async () => {
    const post = await createPost(blog.editor);
    const texts = Array.from({ length: 50 }, (_, index) => `comment ${index}`);
    await Promise.all(texts.map((text) => createComment(blog.editor, post, { text })));
    const { comments } = await read(blog.anyone, pathOf(post));
    expect(comments.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
  });

  test("changes the ETag of the post and of the list", async () => {
    const post = await createPost(blog.editor);
    const before = [await etagOf(blog.anyone, pathOf(post)), await etagOf(blog.anyone, POSTS)];
    await createComment(blog.editor, post);
    expect(await etagOf(blog.anyone, pathOf(post))).not.toBe(before[0] ?? "");
    expect(await etagOf(blog.anyone, POSTS)).not.toBe(before[1] ?? "");
  });
});

describe("With three comments for each post", () => {
  useLimits({ commentsPerPost: 3 });

  describeBlog("the number of comments", (blog) => {
    test("ends there: then 409, while other posts accept comments", async () => {
      const post = await createPost(blog.editor);
      for (let count = 0; count < 3; count++) await createComment(blog.editor, post);
      const more = { method: "POST", json: { text: "One more." } };
      await expectProblem(await blog.editor(commentsOf(post), more), 409);
      await expectErrors(await blog.editor(commentsOf(post), { ...more, json: {} }), {
        pointer: "/text",
        code: "missing",
      });
      expect((await read(blog.anyone, pathOf(post))).comments).toHaveLength(3);
      await createComment(blog.editor, await createPost(blog.editor));
    });

    test("is exact for concurrent comments", async () => {
      const post = await createPost(blog.editor);
      const responses = await Promise.all(
        Array.from({ length: 12 }, () =>
          blog.editor(commentsOf(post), { method: "POST", json: { text: "Me!" } }),
        ),
      );
      expect(responses.map(({ status }) => status).toSorted()).toEqual([
        201,
        201,
        201,
        ...Array(9).fill(409),
      ]);
    });

    test("does not count deleted and rejected comments", async () => {
      const post = await createPost(blog.editor);
      const [deleted, rejected] = [
        await createComment(blog.editor, post),
        await createComment(blog.editor, post),
      ];
      await createComment(blog.editor, post);
      await blog.editor(`${COMMENTS}${deleted.id}/`, { method: "DELETE" });
      await createComment(blog.editor, post);
      const json = { status: "rejected" };
      await blog.editor(`${COMMENTS}${rejected.id}/`, { method: "PUT", json });
      await createComment(blog.editor, post);
      await expectProblem(
        await blog.editor(commentsOf(post), { method: "POST", json: { text: "One more." } }),
        409,
      );
    });

    test("also applies to showing a rejected comment again", async () => {
      const post = await createPost(blog.editor);
      const rejected = await createComment(blog.editor, post);
      const decide = (status: string) =>
        blog.editor(`${COMMENTS}${rejected.id}/`, { method: "PUT", json: { status } });
      await decide("rejected");
      for (let count = 0; count < 3; count++) await createComment(blog.editor, post);
      for (const status of ["shown", "waiting"]) await expectProblem(await decide(status), 409);
      expect((await read(blog.anyone, pathOf(post))).comments).toHaveLength(3);
    });

    test("also applies to the page of moderation, which says so", async () => {
      const post = await createPost(blog.editor);
      const rejected = [await createComment(blog.editor, post), await createComment(blog.editor, post)];
      const decide = async (fields: [string, string][]) => {
        const body = new URLSearchParams(fields).toString();
        const response = await blog.editor("/moderation", { method: "POST", body, headers: SAME_SITE });
        return /notice=([\w-]+)/.exec(response.headers.get("set-cookie") ?? "")?.[1];
      };
      const ids = rejected.map(({ id }): [string, string] => ["id", `${id}`]);
      expect(await decide([["all", "reject"], ...ids])).toBe("comments-rejected");
      for (let count = 0; count < 2; count++) await createComment(blog.editor, post);
      expect(await decide([["all", "show"], ...ids])).toBe("comments-not-approved");
      expect(await decide([["show", `${rejected[1]?.id}`]])).toBe("comment-not-approved");
      const { comments } = await read(blog.anyone, pathOf(post));
      expect(comments).toHaveLength(3);
      expect(comments.map(({ id }) => id)).toContain(Number(rejected[0]?.id));
      expect(comments.map(({ id }) => id)).not.toContain(Number(rejected[1]?.id));
    });
  });
});

describeBlog("COMMENTS", (suite) => {
  const named = { method: "POST", json: { author: "Ada", text: "Hello?" } };
  const nameless = { method: "POST", json: { text: "" } };
  const shown = async ({ anyone }: Blog, path: string) => (await read(anyone, path)).comments.length;

  for (const settings of [{}, { COMMENTS: "accounts" }, { COMMENTS: "accounts", POSTS_ACCESS: "open" }]) {
    test(`with ${JSON.stringify(settings)} lets accounts comment, and nobody else: 401`, async () => {
      const blog = suite.servedWith(settings);
      const post = await createPost(blog.editor);
      expect((await blog.anyone(commentsOf(post), named)).status).toBe(401);
      expect((await blog.editor(commentsOf(post), named)).status).toBe(201);
      expect(await shown(blog, pathOf(post))).toBe(1);
    });
  }

  test("=open lets anyone comment, and shows it at once; without an account an author is required", async () => {
    const blog = suite.servedWith({ COMMENTS: "open" });
    const post = await createPost(blog.editor);
    const stranger = { method: "POST", json: { author: "Bob", text: "Hello?" } };
    expect((await blog.anyone(commentsOf(post), stranger)).status).toBe(201);
    expect((await blog.editor(commentsOf(post), named)).status).toBe(201);
    expect(await shown(blog, pathOf(post))).toBe(2);
    await expectErrors(
      await blog.anyone(commentsOf(post), nameless),
      { pointer: "/author", code: "missing" },
      { pointer: "/text", code: "too_short" },
    );
  });

  test("=moderated lets a stranger's comment wait: 202, not shown, and no tag changes", async () => {
    const blog = suite.servedWith({ COMMENTS: "moderated" });
    const post = await createPost(blog.editor);
    const places = [pathOf(post), POSTS];
    const tags = await Promise.all(places.map((place) => etagOf(blog.anyone, place)));
    const response = await blog.anyone(commentsOf(post), named);
    expect(response.status).toBe(202);
    expect(Object.keys(await bodyOf<CommentResponse>(response))).toEqual(COMMENT_MEMBERS);
    expect(await read(blog.anyone, pathOf(post))).toEqual(post);
    expect(await read(blog.editor, pathOf(post))).toEqual(post);
    expect((await readPage(blog.anyone, POSTS)).results).toContainEqual(post);
    expect(await Promise.all(places.map((place) => etagOf(blog.anyone, place)))).toEqual(tags);
    await expectErrors(
      await blog.anyone(commentsOf(post), nameless),
      { pointer: "/author", code: "missing" },
      { pointer: "/text", code: "too_short" },
    );
  });

  test("=moderated shows the comment of an account at once, but not that of a token that may write no posts", async () => {
    const blog = suite.servedWith({ COMMENTS: "moderated" });
    const post = await createPost(blog.editor);
    expect((await blog.editor(commentsOf(post), named)).status).toBe(201);
    const reader = await makeAccount(blog.database, "reader");
    const key = await makeToken(blog.database, reader, { scopes: ["posts:read"] });
    const response = await withToken(blog.anyone, key)(commentsOf(post), named);
    expect(response.status).toBe(202);
    expect(await shown(blog, pathOf(post))).toBe(1);
  });

  test("=off refuses comments; existing ones are still shown and can be moderated", async () => {
    const post = await createPost(suite.editor);
    const comments = [await createComment(suite.editor, post), await createComment(suite.editor, post)];
    const blog = suite.servedWith({ COMMENTS: "off" });
    for (const send of [blog.anyone, blog.editor])
      expect((await send(commentsOf(post), named)).status).toBeOneOf([404, 405]);
    expect(await read(blog.anyone, pathOf(post))).toEqual({ ...post, comments });
    await blog.editor(`${COMMENTS}${comments[0]?.id}/`, { method: "DELETE" });
    expect(await read(blog.anyone, pathOf(post))).toEqual({ ...post, comments: comments.slice(1) });
  });

  test("never lets a stranger comment where only accounts may read", async () => {
    for (const COMMENTS of ["open", "moderated"]) {
      const blog = suite.servedWith({ COMMENTS, POSTS_ACCESS: "private" });
      const post = await createPost(blog.editor);
      expect((await blog.anyone(commentsOf(post), named)).status).toBe(401);
    }
  });
});

import { describe, expect, test } from "bun:test";
import {
  bodyOf,
  clear,
  createComment,
  createPost,
  DRAFTS,
  describeBlog,
  fields,
  POST_MEMBERS,
  POSTS,
  pathOf,
  read,
  readPage,
} from "../../support/records/blog.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";

const unfinished = { title: "Unfinished", content: "…", published: false };

describeBlog("Drafts", (blog) => {
  describe("A request for drafts", () => {
    test("must be an account, for reading too", async () => {
      const draft = await createPost(blog.editor, unfinished);
      const requests = [
        [DRAFTS, { method: "GET" }],
        [DRAFTS, { method: "HEAD" }],
        [DRAFTS, { method: "POST", json: unfinished }],
        [pathOf(draft), { method: "GET" }],
        [pathOf(draft), { method: "PUT", json: fields }],
        [pathOf(draft), { method: "PATCH", json: { published: true } }],
        [pathOf(draft), { method: "DELETE" }],
      ] as const;
      for (const [path, init] of requests) expect((await blog.anyone(path, init)).status).toBe(401);
      expect(await read(blog.editor, pathOf(draft))).toEqual(draft);
      expect((await readPage(blog.anyone, POSTS)).results).toEqual([]);
    });

    test("otherwise gets 401 for missing drafts, too, and so does not learn which exist", async () => {
      expect((await blog.anyone(`${DRAFTS}4711/`)).status).toBe(401);
    });
  });

  describe("GET /api/drafts/", () => {
    test("lists only the drafts, newest first, as POST returned them", async () => {
      await clear(blog);
      const older = await createPost(blog.editor, unfinished);
      await createPost(blog.editor);
      const newer = await createPost(blog.editor, unfinished);
      expect(await readPage(blog.editor, DRAFTS)).toEqual({
        count: 2,
        next: null,
        previous: null,
        results: [newer, older],
      });
    });
  });

  describe("POST /api/drafts/", () => {
    test("makes a draft: 201, with Location among the drafts", async () => {
      const json = { title: "Unfinished", content: "…" };
      const response = await blog.editor(DRAFTS, { method: "POST", json });
      expect(response.status).toBe(201);
      const draft = await bodyOf(response);
      expect(Object.keys(draft)).toEqual(POST_MEMBERS);
      expect(draft).toMatchObject({ ...json, published: false, comments: [] });
      expect(response.headers.get("location")).toBe(`/api/drafts/${draft.id}/`);
      expect(await read(blog.editor, pathOf(draft))).toEqual(draft);
    });

    test("with `published: true` publishes at once, and Location says where", async () => {
      const response = await blog.editor(DRAFTS, { method: "POST", json: fields });
      expect(response.status).toBe(201);
      const post = await bodyOf(response);
      expect(post.published).toBeTrue();
      expect(response.headers.get("location")).toBe(`/api/posts/${post.id}/`);
      expect(await read(blog.anyone, pathOf(post))).toEqual(post);
    });
  });

  describe("PUT /api/drafts/{id}/", () => {
    test("replaces title and content; an omitted `published` leaves it a draft", async () => {
      const draft = await createPost(blog.editor, unfinished);
      const json = { title: "Nearly", content: "Nearly finished." };
      const response = await blog.editor(pathOf(draft), { method: "PUT", json });
      expect(response.status).toBe(200);
      expect(response.headers.has("etag")).toBeFalse();
      expect(response.headers.has("content-location")).toBeFalse();
      expect(await response.json()).toEqual({ ...draft, ...json });
      expect(await read(blog.editor, pathOf(draft))).toEqual({ ...draft, ...json });
    });

    test("with `published: true` publishes: 200, and Content-Location is the URL of the post", async () => {
      const draft = await createPost(blog.editor, unfinished);
      const before = await readPage(blog.anyone, POSTS);
      const drafts = await readPage(blog.editor, DRAFTS);
      const response = await blog.editor(pathOf(draft), { method: "PUT", json: fields });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-location")).toBe(`/api/posts/${draft.id}/`);
      const post = await bodyOf(response);
      expect(post).toEqual({ ...draft, ...fields });
      expect(await read(blog.anyone, pathOf(post))).toEqual(post);
      await expectProblem(await blog.editor(pathOf(draft)), 404);
      expect((await readPage(blog.anyone, POSTS)).count).toBe(before.count + 1);
      expect((await readPage(blog.editor, DRAFTS)).count).toBe(drafts.count - 1);
    });

    test("without title and content is refused and changes nothing", async () => {
      const draft = await createPost(blog.editor, unfinished);
      await expectErrors(
        await blog.editor(pathOf(draft), { method: "PUT", json: { published: true } }),
        { pointer: "/title", code: "missing" },
        { pointer: "/content", code: "missing" },
      );
      expect(await read(blog.editor, pathOf(draft))).toEqual(draft);
    });
  });

  describe("PATCH /api/drafts/{id}/", () => {
    test("with `published: true` alone publishes the draft", async () => {
      const draft = await createPost(blog.editor, unfinished);
      const response = await blog.editor(pathOf(draft), { method: "PATCH", json: { published: true } });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-location")).toBe(`/api/posts/${draft.id}/`);
      expect(await response.json()).toEqual({ ...draft, published: true });
      expect(await read(blog.anyone, `${POSTS}${draft.id}/`)).toEqual({ ...draft, published: true });
    });

    test("with the title alone changes it and nothing else", async () => {
      const draft = await createPost(blog.editor, unfinished);
      const response = await blog.editor(pathOf(draft), { method: "PATCH", json: { title: "Nearly" } });
      expect(response.headers.has("content-location")).toBeFalse();
      expect(await response.json()).toEqual({ ...draft, title: "Nearly" });
    });
  });

  describe("DELETE /api/drafts/{id}/", () => {
    test("answers 204 and removes the draft permanently", async () => {
      const draft = await createPost(blog.editor, unfinished);
      const response = await blog.editor(pathOf(draft), { method: "DELETE" });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      await expectProblem(await blog.editor(pathOf(draft)), 404);
    });
  });

  describe("A published post under /api/drafts/", () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      test(`answers ${method} with 404, and is unchanged`, async () => {
        const post = await createPost(blog.editor);
        const json = method === "PUT" || method === "PATCH" ? { json: unfinished } : {};
        await expectProblem(await blog.editor(`${DRAFTS}${post.id}/`, { method, ...json }), 404);
        expect(await read(blog.anyone, pathOf(post))).toEqual(post);
      });
    }
  });

  describe("A post that is withdrawn and published again", () => {
    test("keeps its id, created_at, comments and place", async () => {
      const post = await createPost(blog.editor);
      const comment = await createComment(blog.editor, post);
      const newer = await createPost(blog.editor);
      await blog.editor(pathOf(post), { method: "PATCH", json: { published: false } });
      await blog.editor(`${DRAFTS}${post.id}/`, { method: "PATCH", json: { published: true } });
      const expected = { ...post, comments: [comment] };
      expect(await read(blog.anyone, pathOf(post))).toEqual(expected);
      expect((await readPage(blog.anyone, POSTS)).results.slice(0, 2)).toEqual([newer, expected]);
    });
  });
});

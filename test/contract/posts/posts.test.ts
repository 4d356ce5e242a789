import { describe, expect, test } from "bun:test";
import {
  bodyOf,
  COMMENTS,
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

describeBlog("Posts", (blog) => {
  describe("POST /api/posts/", () => {
    test("answers 201 with exactly the six members of a post, in the order of the specification", async () => {
      const response = await blog.editor(POSTS, { method: "POST", json: fields });
      expect(response.status).toBe(201);
      expect(response.headers.get("content-type")).toBe("application/json");
      const post = await bodyOf(response);
      expect(Object.keys(post)).toEqual(POST_MEMBERS);
      expect(post).toMatchObject({ ...fields, comments: [] });
      expect(post.id).toBeInteger();
      expect(post.id).toBePositive();
    });

    test("returns the URL of a published post in Location, which returns the same post to anyone", async () => {
      const response = await blog.editor(POSTS, { method: "POST", json: fields });
      const post = await bodyOf(response);
      expect(response.headers.get("location")).toBe(`/api/posts/${post.id}/`);
      expect(await read(blog.anyone, pathOf(post))).toEqual(post);
      expect((await readPage(blog.anyone, POSTS)).results).toContainEqual(post);
    });

    for (const [case_, json] of [
      ["an omitted `published`", { title: "Unfinished", content: "…" }],
      ["`published: false`", { title: "Unfinished", content: "…", published: false }],
    ] as const) {
      test(`with ${case_} creates a draft, with Location among the drafts`, async () => {
        const response = await blog.editor(POSTS, { method: "POST", json });
        expect(response.status).toBe(201);
        const post = await bodyOf(response);
        expect(Object.keys(post)).toEqual(POST_MEMBERS);
        expect(post.published).toBeFalse();
        expect(response.headers.get("location")).toBe(`/api/drafts/${post.id}/`);
        expect(await read(blog.editor, `${DRAFTS}${post.id}/`)).toEqual(post);
        await expectProblem(await blog.editor(`${POSTS}${post.id}/`), 404);
        const { results } = await readPage(blog.editor, `${POSTS}?page_size=1000`);
        expect(results.map(({ id }) => id)).not.toContain(post.id);
      });
    }

    test("sets created_at to the time of the request, in RFC 3339, UTC, with milliseconds", async () => {
      const before = Date.now();
      const { created_at } = await createPost(blog.editor);
      const after = Date.now();
      expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(created_at)).toBeWithin(before, after + 1);
    });

    test("ignores members that it does not know or that are not the client's to set", async () => {
      const first = await createPost(blog.editor);
      const comments = [{ id: 1, author: "Eve", text: "Smuggled", created_at: "1999-01-01T00:00:00.000Z" }];
      const json = { ...fields, id: 1, created_at: "1999-01-01T00:00:00Z", comments, version: 9, author: 7 };
      const post = await createPost(blog.editor, {}, { json });
      expect(Object.keys(post)).toEqual(POST_MEMBERS);
      expect(post.id).toBeGreaterThan(first.id);
      expect(Date.parse(post.created_at)).toBeGreaterThanOrEqual(Date.parse(first.created_at));
      expect(post.comments).toEqual([]);
    });

    test("ignores read-only members even when they are nonsense", async () => {
      const json = { ...fields, id: "x", created_at: null, comments: "none" };
      expect((await createPost(blog.editor, {}, { json })).comments).toEqual([]);
    });

    test("reads no fields from a member named __proto__", async () => {
      const body = `{"__proto__": ${JSON.stringify(fields)}}`;
      const headers = { "content-type": "application/json" };
      await expectErrors(
        await blog.editor(POSTS, { method: "POST", headers, body }),
        { pointer: "/title", code: "missing" },
        { pointer: "/content", code: "missing" },
      );
    });

    test("never uses an id again, not even the last one after its post is deleted", async () => {
      const gone = await createPost(blog.editor);
      expect((await blog.editor(pathOf(gone), { method: "DELETE" })).status).toBe(204);
      expect((await createPost(blog.editor)).id).toBeGreaterThan(gone.id);
    });

    test("gives each of many simultaneous posts its own id", async () => {
      const { count } = await readPage(blog.anyone, POSTS);
      const made = await Promise.all(
        Array.from({ length: 64 }, (_, index) => createPost(blog.editor, { title: `simultaneous ${index}` })),
      );
      expect(new Set(made.map(({ id }) => id)).size).toBe(64);
      for (const post of made) expect(await read(blog.anyone, pathOf(post))).toEqual(post);
      expect((await readPage(blog.anyone, POSTS)).count).toBe(count + 64);
    });
  });

  describe("GET /api/posts/{id}/", () => {
    test("answers anyone with 200 and exactly the six members, in the order of the specification", async () => {
      const post = await createPost(blog.editor);
      const response = await blog.anyone(pathOf(post));
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      const found = await bodyOf(response);
      expect(found).toEqual(post);
      expect(Object.keys(found)).toEqual(POST_MEMBERS);
    });

    test("answers 404 for a draft, signed in or not", async () => {
      const draft = await createPost(blog.editor, { published: false });
      await expectProblem(await blog.anyone(`${POSTS}${draft.id}/`), 404);
      await expectProblem(await blog.editor(`${POSTS}${draft.id}/`), 404);
    });
  });

  describe("PUT /api/posts/{id}/", () => {
    const other = { title: "Second light", content: "Hello again." };

    test("replaces title and content, keeps id, created_at and comments, and responses 200 without an ETag", async () => {
      const post = await createPost(blog.editor);
      const comment = await createComment(blog.editor, post);
      const response = await blog.editor(pathOf(post), {
        method: "PUT",
        json: { ...other, published: true },
      });
      expect(response.status).toBe(200);
      expect(response.headers.has("etag")).toBeFalse();
      expect(response.headers.has("content-location")).toBeFalse();
      const replaced = await bodyOf(response);
      expect(replaced).toEqual({ ...post, ...other, comments: [comment] });
      expect(Object.keys(replaced)).toEqual(POST_MEMBERS);
      expect(await read(blog.anyone, pathOf(post))).toEqual(replaced);
    });

    test("with an omitted `published` leaves the post published", async () => {
      const post = await createPost(blog.editor);
      const response = await blog.editor(pathOf(post), { method: "PUT", json: other });
      expect(await response.json()).toEqual({ ...post, ...other });
      expect(await read(blog.anyone, pathOf(post))).toEqual({ ...post, ...other });
    });

    test("with `published: false` answers 200 with the post, and takes it out of the collection", async () => {
      const post = await createPost(blog.editor);
      const { count } = await readPage(blog.anyone, POSTS);
      const json = { ...other, published: false };
      const response = await blog.editor(pathOf(post), { method: "PUT", json });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-location")).toBe(`/api/drafts/${post.id}/`);
      const withdrawn = await bodyOf(response);
      expect(withdrawn).toEqual({ ...post, ...json });
      await expectProblem(await blog.editor(pathOf(post)), 404);
      expect((await readPage(blog.anyone, POSTS)).count).toBe(count - 1);
      expect(await read(blog.editor, `${DRAFTS}${post.id}/`)).toEqual(withdrawn);
    });

    test("ignores id, created_at and comments in the body", async () => {
      const post = await createPost(blog.editor);
      const json = {
        ...other,
        id: 99_999,
        created_at: "1999-01-01T00:00:00.000Z",
        comments: [{ text: "x" }],
      };
      const response = await blog.editor(pathOf(post), { method: "PUT", json });
      expect(await response.json()).toEqual({ ...post, ...other });
    });

    test("without title and content is refused and changes nothing", async () => {
      const post = await createPost(blog.editor);
      const response = await blog.editor(pathOf(post), { method: "PUT", json: { published: false } });
      await expectErrors(
        response,
        { pointer: "/title", code: "missing" },
        { pointer: "/content", code: "missing" },
      );
      expect(await read(blog.anyone, pathOf(post))).toEqual(post);
    });

    test("keeps the post's place in the list", async () => {
      const older = await createPost(blog.editor);
      const newer = await createPost(blog.editor);
      await blog.editor(pathOf(older), { method: "PUT", json: other });
      const { results } = await readPage(blog.anyone, POSTS);
      expect(results.slice(0, 2).map(({ id }) => id)).toEqual([newer.id, older.id]);
    });

    test("accepts the response to GET, for clients that send the whole record back", async () => {
      const post = await createPost(blog.editor);
      await createComment(blog.editor, post);
      const current = await read(blog.anyone, pathOf(post));
      const json = { ...current, title: "Edited" };
      const response = await blog.editor(pathOf(post), { method: "PUT", json });
      expect(await response.json()).toEqual(json);
    });
  });

  describe("PATCH /api/posts/{id}/", () => {
    for (const [member, value] of Object.entries({ title: "Changed", content: "Changed." })) {
      test(`with ${member} alone changes it and nothing else`, async () => {
        const post = await createPost(blog.editor);
        const response = await blog.editor(pathOf(post), { method: "PATCH", json: { [member]: value } });
        expect(response.status).toBe(200);
        const current = await blog.anyone(pathOf(post));
        expect(response.headers.get("etag")).toBe(current.headers.get("etag"));
        const changed = await bodyOf(response);
        expect(changed).toEqual({ ...post, [member]: value });
        expect(Object.keys(changed)).toEqual(POST_MEMBERS);
        expect(await read(blog.anyone, pathOf(post))).toEqual(changed);
      });
    }

    test("with `published: false` alone withdraws the post", async () => {
      const post = await createPost(blog.editor);
      const response = await blog.editor(pathOf(post), { method: "PATCH", json: { published: false } });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-location")).toBe(`/api/drafts/${post.id}/`);
      expect(await response.json()).toEqual({ ...post, published: false });
      await expectProblem(await blog.anyone(pathOf(post)), 404);
    });

    test("with an empty object changes nothing", async () => {
      const post = await createPost(blog.editor);
      const response = await blog.editor(pathOf(post), { method: "PATCH", json: {} });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(post);
      expect(await read(blog.anyone, pathOf(post))).toEqual(post);
    });

    test("with null is refused, for no member can be removed (RFC 7396)", async () => {
      const post = await createPost(blog.editor);
      const json = { title: null, content: null, published: null };
      await expectErrors(
        await blog.editor(pathOf(post), { method: "PATCH", json }),
        { pointer: "/title", code: "wrong_type" },
        { pointer: "/content", code: "wrong_type" },
        { pointer: "/published", code: "wrong_type" },
      );
      expect(await read(blog.anyone, pathOf(post))).toEqual(post);
    });

    test("with one invalid member changes none", async () => {
      const post = await createPost(blog.editor);
      const response = await blog.editor(pathOf(post), {
        method: "PATCH",
        json: { title: "Changed", content: 1 },
      });
      await expectErrors(response, { pointer: "/content", code: "wrong_type" });
      expect(await read(blog.anyone, pathOf(post))).toEqual(post);
    });

    test("takes application/merge-patch+json too, and says so", async () => {
      const post = await createPost(blog.editor);
      const headers = { "content-type": "application/merge-patch+json" };
      const response = await blog.editor(pathOf(post), { method: "PATCH", headers, json: { title: "M" } });
      expect(await response.json()).toEqual({ ...post, title: "M" });
      const options = await blog.anyone(pathOf(post), { method: "OPTIONS" });
      expect(options.headers.get("accept-patch")).toContain("application/merge-patch+json");
    });

    test("of different members at once loses no change", async () => {
      const post = await createPost(blog.editor);
      const changes = [{ title: "T" }, { content: "C" }];
      await Promise.all(changes.map((json) => blog.editor(pathOf(post), { method: "PATCH", json })));
      expect(await read(blog.anyone, pathOf(post))).toEqual({ ...post, title: "T", content: "C" });
    });
  });

  describe("DELETE /api/posts/{id}/", () => {
    test("answers 204 with an empty body and removes the post permanently", async () => {
      const post = await createPost(blog.editor);
      const { count } = await readPage(blog.anyone, POSTS);
      const response = await blog.editor(pathOf(post), { method: "DELETE" });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      expect(response.headers.has("content-type")).toBeFalse();
      await expectProblem(await blog.anyone(pathOf(post)), 404);
      await expectProblem(await blog.editor(`${DRAFTS}${post.id}/`), 404);
      expect((await readPage(blog.anyone, POSTS)).count).toBe(count - 1);
    });

    test("takes the post's comments with it, and no others", async () => {
      const gone = await createPost(blog.editor);
      const stays = await createPost(blog.editor);
      const lost = await createComment(blog.editor, gone);
      const kept = await createComment(blog.editor, stays);
      await blog.editor(pathOf(gone), { method: "DELETE" });
      const { results } = await readPage(blog.editor, `${COMMENTS}?status=shown&page_size=1000`);
      expect(results.map(({ id }) => id)).toContain(kept.id);
      expect(results.map(({ id }) => id)).not.toContain(lost.id);
      await expectProblem(await blog.editor(`${COMMENTS}${lost.id}/`, { method: "DELETE" }), 404);
    });

    test("of the same post, many times at once, succeeds exactly once", async () => {
      const path = pathOf(await createPost(blog.editor));
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => blog.editor(path, { method: "DELETE" })),
      );
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(7).fill(404)]);
    });
  });

  describe("A draft under /api/posts/", () => {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"]) {
      test(`answers ${method} of the editor with 404, and is unchanged`, async () => {
        const draft = await createPost(blog.editor, { published: false });
        const json = method === "PUT" || method === "PATCH" ? { json: fields } : {};
        const response = await blog.editor(`${POSTS}${draft.id}/`, { method, ...json });
        expect(response.status).toBe(404);
        expect(await read(blog.editor, pathOf(draft))).toEqual(draft);
      });
    }
  });

  describe("The id of a post", () => {
    const nothing = ["0", "-1", "4711", "9".repeat(30), `-${"9".repeat(30)}`, "9007199254740993"];
    const noInteger = ["abc", "1.5", "1e3", "0x1", "+1", "%20", "1%20", "١", "--1", "-"];

    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const init = method === "PUT" || method === "PATCH" ? { method, json: fields } : { method };
      for (const base of [POSTS, DRAFTS]) {
        test(`that names nothing answers ${method} under ${base} with 404`, async () => {
          for (const id of nothing) await expectProblem(await blog.editor(`${base}${id}/`, init), 404);
        });

        test(`that is not an integer answers ${method} under ${base} with 422`, async () => {
          for (const id of noInteger)
            await expectErrors(await blog.editor(`${base}${id}/`, init), {
              parameter: "id",
              code: "not_an_integer",
            });
        });
      }
    }
  });
});

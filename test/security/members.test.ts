import { describe, expect, test } from "bun:test";
import type { BookmarkResponse } from "../../src/bookmarks/bookmark.ts";
import { bodyOf, commentsOf, createPost, describeBlog, POST_MEMBERS } from "../support/records/blog.ts";
import { COLLECTION, draft } from "../support/records/bookmarks.ts";
import { expectErrors } from "../support/requests/problems.ts";
import { describeHttp } from "../support/server/contract.ts";

/** JSON whose members are named like what every object has; `JSON.stringify` would not write the first. */
const POLLUTING = [
  '{"__proto__":{"title":"polluted","published":true,"admin":true}}',
  '{"constructor":{"prototype":{"title":"polluted","admin":true}}}',
  '{"__proto__":{"__proto__":{"url":"https://evil.example/"}},"toString":1,"hasOwnProperty":null,"valueOf":[]}',
];

describeHttp("Members that would change the prototype of all objects", (service) => {
  const headers = { "content-type": "application/json" };

  for (const body of POLLUTING) {
    test(`are ignored: ${body}`, async () => {
      const missing = ["title", "url"].map((name) => ({ pointer: `/${name}`, code: "missing" as const }));
      await expectErrors(await service.send(COLLECTION, { method: "POST", headers, body }), ...missing);
      const beside = `${JSON.stringify(draft).slice(0, -1)},${body.slice(1)}`;
      const response = await service.send(COLLECTION, { method: "POST", headers, body: beside });
      expect(response.status).toBe(201);
      const bookmark = (await response.json()) as BookmarkResponse;
      expect(bookmark).toEqual({ ...draft, id: bookmark.id, created_at: bookmark.created_at });
    });

    test(`change nothing for the next request: ${body}`, async () => {
      await service.send(COLLECTION, { method: "POST", headers, body });
      await service.send("/api/token/", { method: "POST", headers, body });
      const response = await service.send(COLLECTION, { method: "POST", headers, body: "{}" });
      expect(response.status).toBe(422);
      expect((await service.send("/api/drafts/")).status).toBe(401);
    });
  }

  test("in the query have no effect either", async () => {
    for (const query of [
      "__proto__=1",
      "__proto__[limit]=1",
      "constructor=1",
      "constructor.prototype.limit=1",
    ])
      expect((await service.send(`${COLLECTION}?${query}`)).status).toBe(200);
  });
});

describeBlog(
  "Members that only the server sets",
  (blog) => {
    const set = {
      id: 999_999,
      created_at: "1999-01-01T00:00:00.000Z",
      version: 99,
      created_by: 1,
      updated_at: 0,
    };

    test("cannot be set by the body of a post", async () => {
      const before = Date.now();
      const json = {
        title: "x",
        content: "y",
        published: true,
        ...set,
        comments: [{ id: 1, author: "a", text: "b" }],
      };
      const post = await bodyOf(await blog.editor("/api/posts/", { method: "POST", json }));
      expect(Object.keys(post)).toEqual(POST_MEMBERS);
      expect(post.id).not.toBe(set.id);
      expect(post.comments).toEqual([]);
      expect(Date.parse(post.created_at)).toBeGreaterThanOrEqual(before - 1_000);
      for (const method of ["PUT", "PATCH"]) {
        const changed = await bodyOf(await blog.editor(`/api/posts/${post.id}/`, { method, json }));
        expect(changed).toEqual({ ...post, title: "x", content: "y" });
      }
    });

    test("cannot be set by the body of a comment: a waiting one stays waiting", async () => {
      const post = await createPost(blog.editor);
      const json = { author: "Ada", text: "x", status: "shown", post: 1, account: 1, ...set };
      const response = await blog.anyone(commentsOf(post), { method: "POST", json });
      expect(response.status).toBe(202);
      expect((await bodyOf(await blog.anyone(`/api/posts/${post.id}/`))).comments).toEqual([]);
    });

    test("give no token more scopes than the sign-in has", async () => {
      const json = { username: "editor", password: "x", scopes: ["*"], expires_at: null, admin: true };
      expect((await blog.anyone("/api/token/", { method: "POST", json })).status).toBeOneOf([401, 500]);
    });
  },
  { COMMENTS: "moderated" },
);

describe("The prototype of all objects", () => {
  test("is unchanged in this process", () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });
});

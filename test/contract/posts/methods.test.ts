import { describe, expect, test } from "bun:test";
import { COMMENTS, createPost, DRAFTS, describeBlog, POSTS, pathOf } from "../../support/records/blog.ts";
import { expectProblem } from "../../support/requests/problems.ts";

const ALL_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** What each path of the service has. */
const surface: Readonly<Record<string, readonly string[]>> = {
  [POSTS]: ["GET", "HEAD", "POST", "OPTIONS"],
  [`${POSTS}1/`]: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
  [DRAFTS]: ["GET", "HEAD", "POST", "OPTIONS"],
  [`${DRAFTS}2/`]: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
  [`${POSTS}1/comments/`]: ["GET", "HEAD", "POST", "OPTIONS"],
  [COMMENTS]: ["GET", "HEAD", "OPTIONS"],
  [`${COMMENTS}1/`]: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"],
};

const allowed = (response: Response) => response.headers.get("allow")?.split(/, */).toSorted();

describeBlog("Methods and paths of posts", (blog) => {
  describe("The methods of posts, drafts and comments", () => {
    for (const [path, methods] of Object.entries(surface)) {
      test(`at ${path} are returned by OPTIONS to anyone, with and without the last slash, and without a redirect`, async () => {
        for (const form of [path, path.slice(0, -1)]) {
          const response = await blog.anyone(form, { method: "OPTIONS" });
          expect(response.status).toBe(204);
          expect(allowed(response)).toEqual(methods.toSorted());
        }
      });

      test(`at ${path} that do not exist answer 405 with all that do, also without credentials`, async () => {
        for (const method of ALL_METHODS.filter((each) => !methods.includes(each))) {
          const response = await blog.anyone(path, { method });
          expect(response.status).toBe(405);
          expect(allowed(response)).toEqual(methods.toSorted());
        }
      });

      test(`at ${path} without its last slash are redirected by 308, query kept, before authentication`, async () => {
        for (const method of ALL_METHODS.filter((each) => each !== "OPTIONS")) {
          const response = await blog.anyone(`${path.slice(0, -1)}?a=1&b=%20`, { method });
          expect(response.status).toBe(308);
          expect(response.headers.get("location")).toBe(`${path}?a=1&b=%20`);
        }
      });
    }

    test("include HEAD for every GET, with the same headers", async () => {
      const post = await createPost(blog.editor);
      const draft = await createPost(blog.editor, { published: false });
      for (const path of [POSTS, pathOf(post), DRAFTS, pathOf(draft), COMMENTS, `${POSTS}?page=abc`]) {
        const [get, head] = [await blog.editor(path), await blog.editor(path, { method: "HEAD" })];
        expect(head.status).toBe(get.status);
        const headersOf = ({ headers }: Response) =>
          [...headers].filter(([name]) => name !== "x-request-id").toSorted();
        expect(headersOf(head)).toEqual(headersOf(get));
      }
    });
  });

  describe("SERVICES", () => {
    test("=bookmarks leaves the posts out, and all of their paths are 404", async () => {
      const { anyone, editor } = blog.servedWith({ SERVICES: "bookmarks", BOOKMARKS_ACCESS: "open" });
      for (const path of Object.keys(surface))
        for (const method of ALL_METHODS) expect((await editor(path, { method })).status).toBe(404);
      expect((await anyone("/bookmarks/")).status).toBe(200);
    });

    test("=posts leaves the bookmarks out", async () => {
      const { anyone, editor } = blog.servedWith({ SERVICES: "posts" });
      expect((await anyone(POSTS)).status).toBe(200);
      for (const path of ["/bookmarks/", "/bookmarks/1"]) expect((await editor(path)).status).toBe(404);
    });
  });

  describe("What is wrong with a request about posts", () => {
    const nonsense = { method: "POST", headers: { "content-type": "text/plain" }, body: "{" };

    test("is reported in this order: 308, 404, 405, 401, 415, 400, 422, 404", async () => {
      const path = pathOf(await createPost(blog.editor));
      expect((await blog.anyone(POSTS.slice(0, -1), nonsense)).status).toBe(308);
      expect((await blog.anyone("/api/poems/", nonsense)).status).toBe(404);
      expect((await blog.anyone(path, nonsense)).status).toBe(405);
      expect((await blog.anyone(POSTS, nonsense)).status).toBe(401);
      await expectProblem(await blog.editor(POSTS, nonsense), 415);
      const headers = { "content-type": "application/json" };
      await expectProblem(await blog.editor(POSTS, { ...nonsense, headers }), 400);
      await expectProblem(await blog.editor(`${POSTS}4711/`, { method: "PUT", json: {} }), 422);
      await expectProblem(await blog.editor(`${POSTS}4711/`, { method: "PATCH", json: {} }), 404);
    });

    test("is reported together, in the path and in the body", async () => {
      const response = await blog.editor(`${POSTS}abc/`, { method: "PUT", json: { title: 1 } });
      const { errors } = await expectProblem(response, 422);
      expect(errors).toHaveLength(3);
    });
  });
});

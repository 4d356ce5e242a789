import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeAccount, makeSession, makeToken, withToken } from "../support/records/accounts.ts";
import { createComment, createPost } from "../support/records/blog.ts";
import { create } from "../support/records/bookmarks.ts";
import { startApp, type TestApp } from "../support/server/app.ts";

const PATHS = [
  "/bookmarks/",
  "/bookmarks/?limit=1",
  "/bookmarks/1",
  "/bookmarks/999",
  "/bookmarks/x",
  "/api/posts/",
  "/api/posts/1/",
  "/api/drafts/",
  "/api/drafts/2/",
  "/api/drafts/999/",
  "/api/comments/",
  "/api/comments/?status=shown",
  "/api/comments/1/",
  "/api/comments/999/",
  "/api/session/",
  "/api/token/",
];

describe("A private response", () => {
  let app: TestApp;
  let callers: Record<string, Record<string, string>>;
  beforeAll(async () => {
    app = await startApp({ BOOKMARKS_ACCESS: "private", POSTS_ACCESS: "private" });
    const account = await makeAccount(app.database, "editor");
    const key = await makeToken(app.database, account);
    const send = withToken(app.request, key);
    await create(send);
    await createComment(send, await createPost(send));
    await createPost(send, { published: false });
    callers = {
      nobody: {},
      token: { authorization: `Token ${key}` },
      session: { cookie: await makeSession(app.database, account) },
      impostor: { authorization: "Token wrong" },
    };
  });
  afterAll(() => app.close());

  for (const path of PATHS)
    test(`is never cached, for any caller and any status: ${path}`, async () => {
      for (const headers of Object.values(callers))
        for (const more of [{}, { "if-none-match": "*" }, { "if-modified-since": new Date().toUTCString() }])
          for (const method of ["GET", "HEAD", "PUT", "POST", "PATCH"]) {
            const response = await app.request(path, { method, headers: { ...headers, ...more } });
            expect(response.headers.get("cache-control")).toBe("private, no-store");
          }
    });
});

import { expect, test } from "bun:test";
import { makeAccount, makeToken, withToken } from "../support/records/accounts.ts";
import {
  bodyOf,
  commentsOf,
  createComment,
  createPost,
  describeBlog,
  type Envelope,
  readPage,
} from "../support/records/blog.ts";
import type { Send } from "../support/requests/send.ts";

describeBlog("What is not published", (blog) => {
  const SECRET = "unspeakable";

  /** Everything in a response except the requested id, and what differs with each request. */
  const answerTo = async (
    send: Send,
    path: string,
    id: number,
    init: RequestInit & { json?: unknown } = {},
  ) => {
    const response = await send(path, init);
    const { "x-request-id": _, date: __, ...headers } = Object.fromEntries(response.headers);
    const answer = JSON.stringify({ status: response.status, headers, body: await response.text() });
    return answer.replace(new RegExp(`(?<=/|Post |Draft )${id}\\b`, "g"), "ID");
  };

  test("is answered to strangers and readers like a missing record, including all headers", async () => {
    const draft = await createPost(blog.editor, { title: SECRET, content: SECRET, published: false });
    const reader = withToken(
      blog.anyone,
      await makeToken(blog.database, await makeAccount(blog.database, "reader"), {
        scopes: ["bookmarks:read"],
      }),
    );
    const missing = draft.id + 1_000_000;
    for (const send of [blog.anyone, reader])
      for (const base of ["/api/posts/", "/api/drafts/"])
        for (const [end, init] of [
          ["/", {}],
          ["", {}],
          ["/", { method: "HEAD" }],
          ["/", { method: "OPTIONS" }],
          ["/", { method: "PUT", json: { title: "x", content: "y" } }],
          ["/", { method: "PATCH", json: { published: true } }],
          ["/", { method: "DELETE" }],
          ["/", { headers: { "if-none-match": "*" } }],
          ["/", { method: "DELETE", headers: { "if-match": "*" } }],
          ["/comments/", { method: "POST", json: { author: "Ada", text: "x" } }],
        ] as const) {
          const answer = await answerTo(send, `${base}${draft.id}${end}`, draft.id, init);
          expect(answer).toEqual(await answerTo(send, `${base}${missing}${end}`, missing, init));
          expect(answer).not.toContain(SECRET);
        }
  });

  test("affects neither the list nor its count, pages or entity tag", async () => {
    const before = await blog.anyone("/api/posts/");
    const { count } = await readPage(blog.anyone, "/api/posts/");
    const draft = await createPost(blog.editor, { title: SECRET, published: false });
    await blog.editor(`/api/drafts/${draft.id}/`, { method: "PATCH", json: { content: SECRET } });
    for (const ordering of ["created_at", "-id", "title", "-title"]) {
      const response = await blog.anyone(`/api/posts/?ordering=${ordering}&page_size=1000`);
      expect(await response.text()).not.toContain(SECRET);
    }
    const after = await blog.anyone("/api/posts/");
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
    expect((await bodyOf<Envelope>(after)).count).toBe(count);
  });

  test("hides its comments, and shows them again when it is published", async () => {
    const post = await createPost(blog.editor);
    const { id } = await createComment(blog.editor, post, { text: SECRET });
    await blog.editor(`/api/posts/${post.id}/`, { method: "PATCH", json: { published: false } });
    for (const path of [
      `/api/posts/${post.id}/`,
      `/api/posts/?page_size=1000`,
      commentsOf(post),
      `/api/comments/${id}/`,
    ])
      expect(await (await blog.anyone(path)).text()).not.toContain(SECRET);
    expect((await blog.editor(commentsOf(post), { method: "POST", json: { text: "x" } })).status).toBe(404);
    await blog.editor(`/api/drafts/${post.id}/`, { method: "PATCH", json: { published: true } });
    expect((await bodyOf(await blog.anyone(`/api/posts/${post.id}/`))).comments[0]?.text).toBe(SECRET);
  });
});

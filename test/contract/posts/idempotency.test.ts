import { expect, test } from "bun:test";
import type { PostResponse } from "../../../src/posts/post.ts";
import { makeAccount, makeToken, withHeaders, withToken } from "../../support/records/accounts.ts";
import {
  bodyOf,
  COMMENTS,
  commentsOf,
  createPost,
  DRAFTS,
  describeBlog,
  fields,
  POSTS,
  pathOf,
  read,
  readPage,
} from "../../support/records/blog.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";

const keyed = (send: Send, key: string) => withHeaders(send, { "idempotency-key": key });

describeBlog("Idempotency-Key", (blog) => {
  for (const base of [POSTS, DRAFTS]) {
    test(`replays the response of POST ${base}, and creates one post only`, async () => {
      const send = keyed(blog.editor, "a-key");
      const json = { ...fields, published: base === POSTS };
      const first = await send(base, { method: "POST", json });
      const { count } = await readPage(blog.editor, base);
      const again = await send(base, { method: "POST", json });
      expect(first.status).toBe(201);
      expect(first.headers.has("idempotency-replayed")).toBeFalse();
      expect(again.status).toBe(201);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      expect(again.headers.get("location")).toBe(first.headers.get("location"));
      expect(again.headers.get("content-type")).toBe("application/json");
      expect(await again.text()).toBe(await first.text());
      expect((await readPage(blog.editor, base)).count).toBe(count);
    });
  }

  test("with another body, even by one space, is 422 and creates nothing", async () => {
    const send = keyed(blog.editor, "another-body");
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(fields);
    expect((await send(POSTS, { method: "POST", headers, body })).status).toBe(201);
    const { count } = await readPage(blog.anyone, POSTS);
    for (const other of [JSON.stringify({ ...fields, title: "Other" }), `${body} `])
      await expectErrors(await send(POSTS, { method: "POST", headers, body: other }), {
        parameter: "Idempotency-Key",
        code: "key_reused",
      });
    expect((await readPage(blog.anyone, POSTS)).count).toBe(count);
  });

  test("belongs to the account: the same key of another account, or of an anonymous caller, is a different one", async () => {
    const open = blog.servedWith({ POSTS_ACCESS: "open" });
    const key = await makeToken(open.database, await makeAccount(open.database, "author"));
    const senders = [open.editor, withToken(open.anyone, key), open.anyone];
    const ids = new Set<number>();
    for (const send of senders) ids.add((await createPost(keyed(send, "shared"))).id);
    expect(ids.size).toBe(3);
    for (const send of senders) ids.add((await createPost(keyed(send, "shared"))).id);
    expect(ids.size).toBe(3);
  });

  test("is the same with another token of the same account", async () => {
    const { database, anyone } = blog;
    const account = await makeAccount(database, "writer");
    const [one, other] = [await makeToken(database, account), await makeToken(database, account)];
    const { id } = await createPost(keyed(withToken(anyone, one), "mine"));
    expect((await createPost(keyed(withToken(anyone, other), "mine"))).id).toBe(id);
  });

  test("belongs to the path: posts, drafts and the comments of each post do not share it", async () => {
    const posts = [await createPost(blog.editor), await createPost(blog.editor)];
    const send = keyed(blog.editor, "one-for-all");
    const json = { ...fields, text: "The same body everywhere." };
    for (const path of [POSTS, DRAFTS, ...posts.map(commentsOf)]) {
      const response = await send(path, { method: "POST", json });
      expect(response.status).toBe(201);
      expect(response.headers.has("idempotency-replayed")).toBeFalse();
    }
  });

  test("replays a comment, which is stored only once", async () => {
    const post = await createPost(blog.editor);
    const send = keyed(blog.editor, "a-comment");
    const [first, again] = [
      await send(commentsOf(post), { method: "POST", json: { text: "Once." } }),
      await send(commentsOf(post), { method: "POST", json: { text: "Once." } }),
    ];
    expect(again.status).toBe(201);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.text()).toBe(await first.text());
    expect((await read(blog.anyone, pathOf(post))).comments).toHaveLength(1);
  });

  test("of a comment that waits replays 202", async () => {
    const { editor, anyone } = blog.servedWith({ COMMENTS: "moderated" });
    const post = await createPost(editor);
    const { count } = await readPage(editor, COMMENTS);
    const send = keyed(anyone, "waiting");
    const json = { author: "Ada", text: "Hello?" };
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await send(commentsOf(post), { method: "POST", json })).status).toBe(202);
    expect((await readPage(editor, COMMENTS)).count).toBe(count + 1);
  });

  test("does not store a refusal: the corrected request may use the same key", async () => {
    const send = keyed(blog.editor, "put-right");
    expect((await send(POSTS, { method: "POST", json: { title: "" } })).status).toBe(422);
    expect((await send(POSTS, { method: "POST", json: fields })).status).toBe(201);
  });

  test("of many requests at once creates one post, whose response all of them get", async () => {
    const { count } = await readPage(blog.anyone, POSTS);
    const send = keyed(blog.editor, "at-once");
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => send(POSTS, { method: "POST", json: fields })),
    );
    const posts = await Promise.all(responses.map((response) => bodyOf<PostResponse>(response)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(posts.map(({ id }) => id)).size).toBe(1);
    expect(responses.filter(({ headers }) => !headers.has("idempotency-replayed"))).toHaveLength(1);
    expect((await readPage(blog.anyone, POSTS)).count).toBe(count + 1);
  });

  test("still replays when the post is gone, and makes no new one", async () => {
    const send = keyed(blog.editor, "gone");
    const post = await createPost(send);
    await blog.editor(pathOf(post), { method: "DELETE" });
    expect((await createPost(send)).id).toBe(post.id);
    await expectProblem(await blog.anyone(pathOf(post)), 404);
  });

  for (const base of [POSTS, DRAFTS]) {
    test(`has 1 to 255 visible ASCII characters, else POST ${base} is 400, even when the body is wrong too`, async () => {
      for (const key of ["two words", "\u00fc", "x".repeat(256)])
        for (const json of [fields, {}])
          await expectProblem(await keyed(blog.editor, key)(base, { method: "POST", json }), 400);
      for (const key of ["!", "~".repeat(255)])
        expect((await keyed(blog.editor, key)(base, { method: "POST", json: fields })).status).toBe(201);
    });
  }
});

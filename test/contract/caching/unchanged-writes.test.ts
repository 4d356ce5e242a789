import { describe, expect, test } from "bun:test";
import {
  createPost,
  describeBlog,
  pathOf as pathOfPost,
  etagOf as tagOf,
} from "../../support/records/blog.ts";
import { COLLECTION, create, draft, etagOf, pathOf } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { describeContract } from "../../support/server/contract.ts";

describeContract("A bookmark", (service) => {
  test("keeps its ETag, and the list too, when a write changes nothing", async () => {
    const bookmark = await create(service.send);
    const path = pathOf(bookmark);
    const before = [await etagOf(service.send, path), await etagOf(service.send, COLLECTION)];
    const writes = [
      { method: "PATCH", json: {} },
      { method: "PATCH", json: { title: draft.title } },
      { method: "PUT", json: draft },
    ];
    for (const write of writes) {
      const response = await service.send(path, write);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(bookmark);
      expect([await etagOf(service.send, path), await etagOf(service.send, COLLECTION)]).toEqual(before);
    }
    await service.send(path, { method: "PATCH", json: { title: "Other" } });
    expect(await etagOf(service.send, path)).not.toBe(before[0] ?? "");
  });

  test("also refuses a write that would change nothing if its precondition fails", async () => {
    const path = pathOf(await create(service.send));
    const headers = { "if-match": '"other"' };
    await expectProblem(await service.send(path, { method: "PATCH", json: {}, headers }), 412);
  });

  test("comes with its ETag from POST and PATCH, so that a guarded edit needs no GET; not from PUT", async () => {
    const response = await service.send(COLLECTION, { method: "POST", json: draft });
    const path = response.headers.get("location") ?? "";
    const first = response.headers.get("etag") ?? "";
    expect(first).toBe(await etagOf(service.send, path));
    const patched = await service.send(path, {
      method: "PATCH",
      json: { title: "Other" },
      headers: { "if-match": first },
    });
    expect(patched.status).toBe(200);
    expect(patched.headers.get("etag")).toBe(await etagOf(service.send, path));
    const headers = { "if-match": patched.headers.get("etag") ?? "" };
    const put = await service.send(path, { method: "PUT", json: draft, headers });
    expect([put.status, put.headers.get("etag")]).toEqual([200, null]);
  });
});

describeBlog("A post", (blog) => {
  for (const published of [true, false]) {
    describe(published ? "that is published" : "that is a draft", () => {
      test("keeps its ETag, and its list too, when a write changes nothing", async () => {
        const post = await createPost(blog.editor, { published });
        const path = pathOfPost(post);
        const list = path.replace(/\d+\/$/, "");
        const before = [await tagOf(blog.editor, path), await tagOf(blog.editor, list)];
        const { title, content } = post;
        for (const write of [
          { method: "PATCH", json: {} },
          { method: "PATCH", json: { published } },
          { method: "PUT", json: { title, content } },
        ]) {
          const response = await blog.editor(path, write);
          expect(response.status).toBe(200);
          expect(await response.json()).toEqual(post);
          expect([await tagOf(blog.editor, path), await tagOf(blog.editor, list)]).toEqual(before);
        }
      });

      test("comes with its ETag from POST and PATCH, not from PUT", async () => {
        const json = { title: "New", content: "", published };
        const created = await blog.editor("/api/posts/", { method: "POST", json });
        const path = created.headers.get("location") ?? "";
        expect(created.headers.get("etag")).toBe(await tagOf(blog.editor, path));
        const headers = { "if-match": created.headers.get("etag") ?? "" };
        const patched = await blog.editor(path, { method: "PATCH", json: { title: "Other" }, headers });
        expect(patched.headers.get("etag")).toBe(await tagOf(blog.editor, path));
        const put = await blog.editor(path, { method: "PUT", json: { title: "Put", content: "" } });
        expect([put.status, put.headers.get("etag")]).toEqual([200, null]);
      });
    });
  }
});

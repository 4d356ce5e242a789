import { expect, test } from "bun:test";
import { bodyOf, describeBlog, read } from "../support/blog.ts";

describeBlog("Publishing a bookmark", ({ editor, anyone }) => {
  async function keep(fields: object): Promise<number> {
    const response = await editor("/bookmarks/", { method: "POST", json: { description: "", ...fields } });
    return (await bodyOf<{ id: number }>(response)).id;
  }
  const publish = (id: number | string, json: object = {}) =>
    editor(`/bookmarks/${id}/publish`, { method: "POST", json });

  test("makes a link post once, without what is private", async () => {
    const id = await keep({
      title: "A page",
      url: "https://example.com/a",
      description: "Secret note #private",
    });
    const first = await publish(id, { content: "Worth *reading*.", tags: ["reading"] });
    expect(first.status).toBe(201);
    const post = await bodyOf(first);
    expect(post).toMatchObject({ title: "A page", content: "Worth *reading*.", published: true });
    expect(first.headers.get("location")).toBe(`/api/posts/${post.id}/`);
    const publication = await read<object>(anyone, `/api/posts/${post.id}/publication/`);
    expect(publication).toMatchObject({
      kind: "link",
      link: "https://example.com/a",
      tags: ["reading"],
      slug: "a-page",
    });
    const again = await publish(id, { content: "Other." });
    expect([again.status, (await bodyOf(again)).content]).toEqual([200, "Worth *reading*."]);
    const html = await (await anyone("/links")).text();
    expect(html).toContain('href="https://example.com/a"');
    expect(html + (await (await anyone("/feed.json")).text())).not.toContain("Secret");
  });

  test("keeps what was published when the bookmark changes or goes", async () => {
    const id = await keep({ title: "Before", url: "https://example.com/b" });
    const post = await bodyOf(await publish(id));
    await editor(`/bookmarks/${id}`, {
      method: "PATCH",
      json: { title: "After", url: "https://example.com/other" },
    });
    await editor(`/bookmarks/${id}`, { method: "DELETE" });
    expect(await read<object>(anyone, `/api/posts/${post.id}/`)).toMatchObject({ title: "Before" });
    expect(await read<object>(anyone, `/api/posts/${post.id}/publication/`)).toMatchObject({
      link: "https://example.com/b",
    });
  });

  test("gives a bookmark without a title its URL, and is one post however many publish at once", async () => {
    const id = await keep({ title: "", url: "https://example.com/c" });
    const answers = await Promise.all([publish(id), publish(id), publish(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect(new Set(await Promise.all(answers.map(async (answer) => (await bodyOf(answer)).id))).size).toBe(1);
  });

  test("is for accounts, and of bookmarks that are there", async () => {
    const id = await keep({ title: "Not yours", url: "https://example.com/d" });
    expect((await anyone(`/bookmarks/${id}/publish`, { method: "POST", json: {} })).status).toBe(401);
    for (const missing of [0, 99_999, "9".repeat(30)]) expect((await publish(missing)).status).toBe(404);
    expect((await publish(id, { tags: ["not a tag"] })).status).toBe(422);
  });
});

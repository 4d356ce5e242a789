import { expect, test } from "bun:test";
import { insertPost } from "../../../src/posts/post-store.ts";
import { bodyOf, createPost, describeBlog, read } from "../../support/records/blog.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";

describeBlog("Publishing a bookmark", (blog) => {
  const { editor, anyone } = blog;
  async function keep(fields: object): Promise<number> {
    const response = await editor("/bookmarks/", { method: "POST", json: { description: "", ...fields } });
    return (await bodyOf<{ id: number }>(response)).id;
  }
  const publish = (id: number | string, json: object = {}) =>
    editor(`/bookmarks/${id}/publish`, { method: "POST", json });

  test("creates a link post once, without private data", async () => {
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

  test("keeps the post unchanged when the bookmark changes or is deleted", async () => {
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

  test("uses the URL for a missing title, and creates one post for simultaneous requests", async () => {
    const id = await keep({ title: "", url: "https://example.com/c" });
    const answers = await Promise.all([publish(id), publish(id), publish(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect(
      new Set(await Promise.all(answers.map(async (response) => (await bodyOf(response)).id))).size,
    ).toBe(1);
  });

  test("publishes a page once, whichever form its URL has, and shows that post at each of its bookmarks", async () => {
    const plain = await keep({ title: "In forms", url: "https://forms.example/a?b=1" });
    const other = await keep({
      title: "In forms",
      url: "http://www.forms.example/a/?utm_source=feed&b=1#top",
    });
    const elsewhere = await keep({ title: "Another page", url: "https://forms.example/a?b=2" });
    const post = await bodyOf(await publish(other, { content: "Once." }));
    const again = await publish(plain, { content: "Twice." });
    expect([again.status, (await bodyOf(again)).id]).toEqual([200, post.id]);
    expect(await page(`/library/${plain}/publish`)).toContain("already on your site");
    expect(await page(`/library/${plain}`)).toContain('id="cited-in"');
    expect(await page(`/library/${elsewhere}`)).not.toContain('id="cited-in"');
    expect(await page(`/library/${elsewhere}/publish`)).toContain('name="content"');
    expect((await publish(elsewhere)).status).toBe(201);
    const cite = await page(`/library/cite?q=${encodeURIComponent("http://www.forms.example/a?b=1#top")}`);
    expect(cite).toContain('href="https://forms.example/a?b=1"');
    expect(cite).not.toContain('href="https://forms.example/a?b=2"');
    await editor(`/api/posts/${post.id}/`, { method: "PATCH", json: { published: false } });
    expect(await page(`/library/${plain}/publish`)).toContain('name="content"');
    expect(await page(`/library/${plain}`)).not.toContain('id="cited-in"');
  });

  test("is for accounts, and for existing bookmarks", async () => {
    const id = await keep({ title: "Not yours", url: "https://example.com/d" });
    expect((await anyone(`/bookmarks/${id}/publish`, { method: "POST", json: {} })).status).toBe(401);
    for (const missing of [0, 99_999, "9".repeat(30)]) expect((await publish(missing)).status).toBe(404);
    expect((await publish(id, { tags: ["not a tag"] })).status).toBe(422);
  });

  const page = async (path: string) => {
    const response = await editor(path);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  };

  test("previews what would become public, with private data only on request", async () => {
    const id = await keep({
      title: "Looked over",
      url: "https://example.com/look",
      description: "My *secret* note.\n#reading #work",
    });
    const [, link = ""] =
      new RegExp(`href="(/library/${id}/publish[^"]*)"`).exec(await page("/library")) ?? [];
    expect(await page(link)).toContain(`<a class="button plain" href="/library#link-${id}">`);
    expect(await page(`/library/${id}`)).toContain(`href="/library/${id}/publish?back=`);
    const html = await page(`/library/${id}/publish`);
    expect(["title", "content", "tags"].map((name) => fieldValue(html, name))).toEqual([
      "Looked over",
      "",
      "reading, work",
    ]);
    const typed = { title: "Another title", content: "Typed.", tags: "reading" };
    const withNote = await submit(editor, `/library/${id}/publish`, { ...typed, use_note: "1" });
    expect(withNote.status).toBe(200);
    const form = await withNote.text();
    expect(Object.keys(typed).map((name) => fieldValue(form, name))).toEqual([
      "Another title",
      "Typed.\n\nMy *secret* note.",
      "reading",
    ]);
    const response = await submit(editor, `/library/${id}/publish`, {
      title: " ",
      content: "Two\r\nlines.",
      tags: "#reading, slow food",
    });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/posts/looked-over"]);
    const { results } = await read<{ results: { id: number; title: string; content: string }[] }>(
      anyone,
      "/api/posts/",
    );
    expect(results[0]).toMatchObject({ title: "Looked over", content: "Two\nlines." });
    expect(await read<object>(anyone, `/api/posts/${results[0]?.id}/publication/`)).toMatchObject({
      link: "https://example.com/look",
      tags: ["reading", "slow-food"],
    });
    const published = await page(`/library/${id}/publish`);
    expect(published).toContain('href="/posts/looked-over"');
    expect(published).not.toContain("<form");
  });

  test("shows a refused form again with its errors and typed values, and is for accounts", async () => {
    const id = await keep({ title: "Refused", url: "https://example.com/refused" });
    const typed = {
      title: "t".repeat(501),
      content: "<b> & more",
      tags: Array(51).keys().toArray().join(", "),
    };
    const response = await submit(editor, `/library/${id}/publish`, typed);
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain("<title>Error: ");
    expect(fieldValue(html, "content")).toBe("<b> & more");
    const path = `/library/${id}/publish`;
    expect((await anyone(path)).headers.get("location")).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
    expect((await submit(anyone, path, { title: "x" })).status).toBe(401);
    const cross = await submit(editor, path, { title: "x" }, { "sec-fetch-site": "cross-site" });
    expect(cross.status).toBe(403);
    for (const missing of ["0", "99999", "9".repeat(30)])
      expect((await editor(`/library/${missing}/publish`)).status).toBe(404);
  });

  test("finds the posts that link to a page among any number of newer ones that link elsewhere", async () => {
    const id = await keep({ title: "Cited once", url: "https://example.org/atlas?sheet=1" });
    const text = (title: string, content: string) => ({ title, content, published: true });
    await blog.database.write(async (sql) => {
      for (let n = 0; n < 21; n++)
        await insertPost(
          sql,
          text(`Leads there ${n}`, "See <https://example.org/atlas?sheet=1>."),
          undefined,
          new Date(n),
        );
      for (let n = 0; n < 201; n++)
        await insertPost(
          sql,
          text("Beside it", "See https://example.org/atlas?sheet=2."),
          undefined,
          new Date(),
        );
    });
    const html = await page(`/library/${id}`);
    expect(html).toContain("Leads there 20");
    expect(html).not.toContain("Beside it");
    expect(html).toContain("and in one older post");
  });

  test("lists the published posts that link to a bookmark's page, in any form of its URL", async () => {
    const id = await keep({ title: "Cited", url: "https://www.example.org/wiki/Quince_(fruit)?q=a" });
    const cite = (title: string, content: string, published = true) =>
      createPost(editor, { title, content, published });
    await cite("By a link", "See [this](https://www.example.org/wiki/Quince_%28fruit%29?q=a).");
    await cite("Bare", "https://example.org/wiki/Quince_(fruit)?q=a&utm_source=feed, said somebody.");
    await cite("By reference", "[it][1]\n\n[1]: <http://example.org/wiki/Quince_(fruit)/?q=a>");
    await cite("Another query", "https://example.org/wiki/Quince_(fruit)?q=b");
    await cite("Another page", "https://example.org/wiki/Quince");
    await cite("A draft", "https://example.org/wiki/Quince_(fruit)?q=a", false);
    const html = await page(`/library/${id}`);
    const [, cited = ""] = /id="cited-in">.*?<ul[^>]*>(.*?)<\/ul>/s.exec(html) ?? [];
    expect([...cited.matchAll(/>([^<]+)<\/a>/g)].map(([, title]) => title)).toEqual([
      "By reference",
      "Bare",
      "By a link",
    ]);
    const uncited = await keep({ title: "Uncited", url: "https://example.org/uncited" });
    expect(await page(`/library/${uncited}`)).not.toContain("cited-in");
  });

  test("lists bookmarks as Markdown to copy, in which nothing of a title is markup", async () => {
    await keep({ title: "A [b] *c* <d> & e\n`f`", url: "https://example.com/(x)" });
    const html = await page("/library/cite?q=c");
    expect(html).toContain(
      'value="[A \\[b\\] \\*c\\* \\&lt;d> \\&amp; e \\`f\\`](&lt;https://example.com/(x)>)"',
    );
    expect(await page("/library/cite?q=%22(")).toContain("cannot be read as a search");
    expect(await page("/library/cite?q=nosuchword")).toContain("Nothing found");
    expect((await anyone("/library/cite")).status).toBe(303);
  });
});

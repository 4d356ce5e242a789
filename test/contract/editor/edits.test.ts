import { expect, setSystemTime, test } from "bun:test";
import { bodyOf, createPost, describeBlog, pathOf, read, readPage } from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";

interface Edit {
  readonly key: string;
  readonly title: string;
  readonly content: string;
  readonly fields: Record<string, string>;
}

const EDITS = "/api/edits/";

describeBlog("A working copy", (blog) => {
  const { editor, anyone, browser } = blog;
  const newPath = () => `${EDITS}${crypto.randomUUID()}/`;
  const put = (path: string, json: object, headers: Record<string, string> = {}) =>
    editor(path, { method: "PUT", json, headers });

  test("is stored word for word under the key that the client chose", async () => {
    const path = newPath();
    const sent = {
      title: " \ttitle\r\n",
      content: "  Trailing  \r\n\u2028 e\u0301 🦊",
      fields: { tags: "a,, b", slug: "" },
    };
    const created = await put(path, sent, { "if-none-match": "*" });
    expect(created.status).toBe(201);
    expect(created.headers.get("location")).toBe(path);
    const etag = created.headers.get("etag");
    const response = await editor(path);
    expect(response.headers.get("etag")).toBe(etag);
    expect(await bodyOf<Edit>(response)).toMatchObject({ ...sent, post: null, base_version: null });
  });

  test("is replaced only with its current entity tag", async () => {
    const path = newPath();
    const first = (await put(path, { content: "1" })).headers.get("etag") ?? "";
    const second = await put(path, { content: "2" }, { "if-match": first });
    expect(second.status).toBe(200);
    expect((await put(path, { content: "3" }, { "if-match": first })).status).toBe(412);
    expect((await read<Edit>(editor, path)).content).toBe("2");
    expect((await put(path, { content: "3" }, { "if-match": second.headers.get("etag") ?? "" })).status).toBe(
      200,
    );
    expect((await put(path, { content: "4" }, { "if-none-match": "*" })).status).toBe(412);
  });

  test("whose response was lost is saved again without a conflict", async () => {
    const path = newPath();
    const first = (await put(path, { content: "1" })).headers.get("etag") ?? "";
    const lost = await put(path, { content: "2", fields: { a: "1", b: "2" } }, { "if-match": first });
    const again = await put(path, { content: "2", fields: { b: "2", a: "1" } }, { "if-match": first });
    expect(again.status).toBe(200);
    expect(again.headers.get("etag")).toBe(lost.headers.get("etag"));
    const firstAgain = await put(newPath(), { content: "1" }, { "if-none-match": "*" });
    expect(firstAgain.status).toBe(201);
  });

  test("that is first stored twice at once is one", async () => {
    const path = newPath();
    const saves = await Promise.all(
      [1, 2, 3, 4].map(() => put(path, { content: "same" }, { "if-none-match": "*" })),
    );
    expect(saves.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
  });

  test("never touches the post", async () => {
    const post = await createPost(editor, { title: "Published" });
    await put(newPath(), { post: post.id, base_version: 1, title: "Changed", content: "Changed" });
    expect(await read<object>(anyone, pathOf(post))).toEqual(post);
  });

  test("is listed, last changed first, until it is deleted", async () => {
    const [one, other] = [newPath(), newPath()];
    await put(one, { title: "One", content: "text" });
    await put(other, { title: "Other" });
    setSystemTime(Date.now() + 1_000);
    await put(one, { title: "One again", content: "text" });
    setSystemTime();
    const page = await readPage<Edit>(editor, EDITS);
    expect(page.results.slice(0, 2).map(({ title, content }) => [title, content])).toEqual([
      ["One again", ""],
      ["Other", ""],
    ]);
    expect((await editor(one, { method: "DELETE" })).status).toBe(204);
    expect((await editor(one)).status).toBe(404);
  });

  test("is for accounts only, with a UUID as its key", async () => {
    for (const method of ["GET", "PUT", "DELETE"])
      expect((await anyone(newPath(), { method, ...(method === "PUT" && { json: {} }) })).status).toBe(401);
    expect((await put(`${EDITS}my-draft/`, {})).status).toBe(422);
    expect((await put(newPath(), { fields: { a: 1 } })).status).toBe(422);
    expect((await put(newPath(), { title: "\0" })).status).toBe(422);
  });

  test("can be shown by a link, until it is revoked", async () => {
    const path = newPath();
    await put(path, { title: "Shown" });
    const shared = await browser(`${path}previews/`, { method: "POST" });
    expect(shared.status).toBe(201);
    const { url } = await bodyOf<{ url: string }>(shared);
    expect(url).toMatch(/^\/preview\/[\w-]{27}$/);
    const rows = await blog.database.read<object>`select * from keys`;
    expect(JSON.stringify(rows)).not.toContain(url.slice("/preview/".length));
    expect(await (await anyone(url)).text()).toContain("Shown");
    expect((await editor(`${path}previews/`, { method: "DELETE" })).status).toBe(204);
    expect(await blog.database.read`select * from keys`).toHaveLength(0);
    const ended = await anyone(url, { headers: { accept: "text/html" } });
    expect([ended.status, (await ended.text()).includes("This preview has ended")]).toEqual([404, true]);
  });

  test("is shared on its preview, in one step, until it is revoked or published", async () => {
    const path = newPath();
    const key = path.slice(EDITS.length, -1);
    await put(path, { title: "Seen before" });
    const page = `/write/${key}/preview`;
    expect(await (await browser(page)).text()).toContain('name="action" value="share"');
    const share = async () => {
      const shared = await submit(browser, page, { action: "share" });
      expect([shared.status, shared.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
      const [, url = ""] =
        /<code class="once">[^<]*(\/preview\/[\w-]{27})<\/code>/.exec(await shared.text()) ?? [];
      return url;
    };
    const statusOf = async (url: string) => (await anyone(url)).status;
    const first = await share();
    const shown = await anyone(first);
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    const html = await shown.text();
    expect(html).toContain("Seen before");
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    // It leads to nobody else's link.
    expect(html).not.toContain('value="share"');
    expect(await (await browser(page)).text()).not.toContain(first);
    expect((await submit(browser, page, { action: "unshare" })).headers.get("location")).toBe(page);
    expect(await statusOf(first)).toBe(404);
    const second = await share();
    expect(await statusOf(second)).toBe(200);
    const published = await submit(browser, `/write/${key}`, {
      title: "Seen before",
      version: "1",
      action: "publish",
    });
    expect(published.status).toBe(303);
    expect(await statusOf(second)).toBe(404);
    expect((await submit(browser, page, { action: "share" })).status).toBe(404);
    expect(await blog.database.read`select id from keys where kind = 'preview' and target = ${key}`).toEqual(
      [],
    );
  });
});

interface Version {
  readonly number: number;
  readonly title: string;
  readonly content: string;
}

describeBlog("The versions of a post", (blog) => {
  const { editor, anyone } = blog;

  test("are its former texts, newest first", async () => {
    const post = await createPost(editor, { title: "One", content: "1" });
    expect((await readPage<Version>(editor, `${pathOf(post)}versions/`)).count).toBe(0);
    for (const [title, content] of [
      ["Two", "2"],
      ["Two", "2"],
      ["Three", "3"],
    ])
      await editor(pathOf(post), { method: "PUT", json: { title, content } });
    const page = await readPage<Version>(editor, `${pathOf(post)}versions/`);
    expect(page.results.map(({ number, title, content }) => [number, title, content])).toEqual([
      [2, "Two", "2"],
      [1, "One", "1"],
    ]);
    expect(await read<Version>(editor, `${pathOf(post)}versions/1/`)).toMatchObject({
      title: "One",
      content: "1",
    });
    for (const number of ["3", "0", "-1", "9".repeat(30)])
      expect((await editor(`${pathOf(post)}versions/${number}/`)).status).toBe(404);
    expect((await editor(`${pathOf(post)}versions/x/`)).status).toBe(422);
  });

  test("are for accounts only, and are deleted with the post", async () => {
    const post = await createPost(editor);
    await editor(pathOf(post), { method: "PATCH", json: { content: "New" } });
    expect((await anyone(`${pathOf(post)}versions/`)).status).toBe(401);
    await editor(pathOf(post), { method: "DELETE" });
    expect((await editor(`${pathOf(post)}versions/`)).status).toBe(404);
    expect(await blog.database.read`select * from post_versions where post_id = ${post.id}`).toHaveLength(0);
  });
});

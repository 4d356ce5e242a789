import { beforeAll, expect, test } from "bun:test";
import { parseFeed } from "@rowanmanning/feed-parser";
import Parser from "rss-parser";
import { createComment, createPost, describeBlog, etagOf, pathOf } from "../../support/records/blog.ts";

const TITLE = "Control \u0001\u000b\ufffe <b>&amp;</b> ]]> 🦊";
const CLEAN = "Control  <b>&amp;</b> ]]> 🦊";

describeBlog("The feeds", (blog) => {
  const { editor, anyone } = blog;

  async function textOf(path: string, type: string): Promise<string> {
    const response = await anyone(path);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      200,
      `${type}; charset=utf-8`,
    ]);
    return response.text();
  }

  beforeAll(async () => {
    const post = await createPost(editor, {
      title: TITLE,
      content:
        "# Head\n\n[About](/about) <https://b.example/> ![x](/media/a.png) ]]> \u0002 <script>alert(1)</script>",
    });
    await editor(`${pathOf(post)}publication/`, {
      method: "PATCH",
      json: { tags: ["dev/js"], slug: "first" },
    });
    await createComment(editor, post, {
      author: "Ada \u0003<b>",
      text: 'One & two\n<i>three</i> https://example.com/?a="1"',
    });
    const link = await createPost(editor, { title: "A link", content: "See it." });
    await editor(`${pathOf(link)}publication/`, {
      method: "PATCH",
      json: { kind: "link", link: "https://example.com/page?a=1&b=2", summary: "Short & sweet" },
    });
    await createPost(editor, { title: "A draft", published: false });
  });

  test("are read by two independent parsers, whatever titles contain", async () => {
    for (const [path, type] of [
      ["/feed.atom", "application/atom+xml"],
      ["/feed.rss", "application/rss+xml"],
    ] as const) {
      const text = await textOf(path, type);
      const one = parseFeed(text);
      expect([path, one.title, one.items.length]).toEqual([path, "Commonplace", 2]);
      expect(one.items[1]?.url).toBe("http://localhost/posts/first");
      const other = await new Parser().parseString(text);
      expect([path, other.title?.trim(), other.items.length]).toEqual([path, "Commonplace", 2]);
      expect(other.items.map(({ title }) => title?.trim())).toEqual(["A link", CLEAN]);
    }
  });

  test("can be read by pages of any origin, also without entity tags", async () => {
    for (const path of ["/feed.atom", "/feed.rss", "/feed.json", "/links.atom", "/tags/dev/js/feed.atom"]) {
      const { headers } = await anyone(path, { headers: { origin: "https://reader.example" } });
      expect([path, headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
      expect([path, headers.has("access-control-allow-credentials")]).toEqual([path, false]);
    }
    const closed = blog.servedWith({ POSTS_ACCESS: "private" });
    const { headers } = await closed.anyone("/feed.atom", { headers: { origin: "https://reader.example" } });
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });

  test("have the whole text with absolute URLs, without a script", async () => {
    const { items } = await new Parser().parseString(await textOf("/feed.atom", "application/atom+xml"));
    const html = items[1]?.content ?? "";
    expect(html).toContain('<a href="http://localhost/about">');
    expect(html).toContain('src="http://localhost/media/a.png"');
    expect(html).toContain('<a href="https://b.example/">https://b.example/</a>');
    expect(html).not.toContain("<script");
    expect(html).toContain("]]&gt;");
  });

  test("keep an entry's id when its slug changes", async () => {
    const before = parseFeed(await textOf("/feed.atom", "application/atom+xml")).items[1];
    expect(before?.id).toMatch(/^tag:localhost,\d{4}-\d\d-\d\d:post-\d+$/);
    const id = Number(before?.id?.split("-").at(-1));
    await editor(`/api/posts/${id}/publication/`, { method: "PATCH", json: { slug: "second" } });
    const after = parseFeed(await textOf("/feed.atom", "application/atom+xml")).items[1];
    expect(after?.id).toBe(before?.id ?? "");
    expect(after?.url).toBe("http://localhost/posts/second");
  });

  test("date an entry, and the feed, from the last change of the post", async () => {
    const post = await createPost(editor, { title: "Dated" });
    const datesIn = async () => {
      const atom = parseFeed(await textOf("/feed.atom", "application/atom+xml"));
      const json = JSON.parse(await textOf("/feed.json", "application/feed+json"));
      const [{ published, updated } = {}] = atom.items;
      expect(new Date(json.items[0].date_modified)).toEqual(updated as Date);
      expect(new Date(json.items[0].date_published)).toEqual(published as Date);
      expect(atom.updated).toEqual(updated as Date);
      return { published, updated };
    };
    const before = await datesIn();
    await editor(pathOf(post), { method: "PATCH", json: { content: "Corrected." } });
    const after = await datesIn();
    expect(after.published).toEqual(before.published as Date);
    expect(Number(after.updated)).toBeGreaterThan(Number(before.updated));
    await editor(pathOf(post), { method: "DELETE" });
  });

  test("link to the page of a link post", async () => {
    const json = JSON.parse(await textOf("/feed.json", "application/feed+json"));
    expect(json.version).toBe("https://jsonfeed.org/version/1.1");
    expect(json.items[0]).toMatchObject({
      external_url: "https://example.com/page?a=1&b=2",
      summary: "Short & sweet",
    });
    const atom = await textOf("/links.atom", "application/atom+xml");
    expect(atom).toContain('rel="related"');
    expect(parseFeed(atom).items).toHaveLength(1);
  });

  test("exist for a tag and for the comments of a post", async () => {
    expect(parseFeed(await textOf("/tags/dev/js/feed.atom", "application/atom+xml")).items).toHaveLength(1);
    expect(parseFeed(await textOf("/tags/dev/feed.rss", "application/rss+xml")).items).toHaveLength(1);
    const feed = await new Parser().parseString(
      await textOf("/posts/second/comments.atom", "application/atom+xml"),
    );
    const [comment] = feed.items;
    expect(comment?.title?.trim()).toBe("Ada <b>");
    expect(comment?.content).toContain("One &amp; two<br>&lt;i&gt;three&lt;/i&gt;");
    for (const path of ["/tags/%00/feed.atom", "/posts/nothing/comments.atom"])
      expect((await anyone(path)).status).toBe(404);
  });

  test("have entity tags", async () => {
    const etag = await etagOf(anyone, "/feed.atom");
    expect((await anyone("/feed.atom", { headers: { "if-none-match": etag } })).status).toBe(304);
    await createPost(editor, { title: "Newer" });
    expect((await anyone("/feed.atom", { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  test("are accompanied by sitemap.xml and robots.txt", async () => {
    const map = await textOf("/sitemap.xml", "application/xml");
    for (const path of ["posts/second", "tags"]) expect(map).toContain(`<loc>http://localhost/${path}</loc>`);
    expect(map).not.toContain("draft");
    expect(await textOf("/robots.txt", "text/plain")).toContain("Sitemap: http://localhost/sitemap.xml");
    expect(await textOf("/opensearch.xml", "application/opensearchdescription+xml")).toContain(
      "/search?q={searchTerms}",
    );
  });

  test("have the newest text whole, and others while all together are no longer than 4 MB", async () => {
    const long = `${"x".repeat(900_000)} end`;
    for (const title of ["Oldest", "Older", "Old", "New", "Newest"])
      await createPost(editor, { title, content: long });
    const { items } = JSON.parse(await textOf("/feed.json", "application/feed+json"));
    const [newest, , , , oldest] = items;
    expect(newest.content_html).toEndWith(" end</p>\n");
    expect(oldest.title).toBe("Oldest");
    expect(oldest.content_html).toMatch(
      /^<p>x+…<\/p><p><a href="http:\/\/localhost\/posts\/oldest">Read on<\/a><\/p>$/,
    );
  });
});

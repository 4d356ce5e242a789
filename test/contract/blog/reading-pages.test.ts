import { beforeAll, expect, setSystemTime, test } from "bun:test";
import { insertPost } from "../../../src/posts/post-store.ts";
import {
  createComment,
  createPost,
  DRAFTS,
  describeBlog,
  etagOf,
  pathOf,
} from "../../support/records/blog.ts";

describeBlog("The pages of the site", (blog) => {
  const { editor, anyone } = blog;

  async function publish(
    title: string,
    publication: object = {},
    content = "Text.",
  ): Promise<{ id: number; published: boolean }> {
    const post = await createPost(editor, { title, content });
    const response = await editor(`${pathOf(post)}publication/`, { method: "PATCH", json: publication });
    expect(response.status).toBe(200);
    return post;
  }

  async function htmlOf(path: string, status = 200): Promise<string> {
    const response = await anyone(path);
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    return response.text();
  }

  beforeAll(async () => {
    await publish("Oldest", { published_at: "2024-12-31T23:30:00Z", tags: ["Dev/JS"] });
    await publish("Middle <b>& co</b>", {
      published_at: "2025-06-01T12:00:00Z",
      summary: 'A "summary" <i>.',
      language: "de",
    });
    await publish("A link", {
      kind: "link",
      link: "https://www.example.com/page",
      published_at: "2025-07-01T12:00:00Z",
      tags: ["dev"],
    });
    await publish("About us", { kind: "page" });
    await createPost(editor, { title: "Never shown", published: false });
  });

  test("list posts and links together, newest first, and nothing else", async () => {
    const html = await htmlOf("/");
    const order = ["A link", "Middle &lt;b>&amp; co&lt;/b>", "Oldest"].map((title) => html.indexOf(title));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(html).not.toContain("Never shown");
    expect(html).not.toContain("About us");
    expect(html).toContain('<a class="u-bookmark-of" href="https://www.example.com/page">A link</a>');
    expect(html).toContain('<span class="host">example.com</span>');
    expect(html).toContain("A &quot;summary&quot; &lt;i>.");
    expect(html).not.toContain("<script");
  });

  test("list links by themselves, and the posts of a tag with those below it", async () => {
    const links = await htmlOf("/links");
    expect(links).toContain("A link");
    expect(links).not.toContain("Oldest");
    const tagged = await htmlOf("/tags/dev");
    expect(tagged).toContain("A link");
    expect(tagged).toContain("Oldest");
    expect(await htmlOf("/tags/dev/js")).not.toContain("A link");
    const encoded = await anyone("/tags/Dev%2FJS?page=2");
    expect([encoded.status, encoded.headers.get("location")]).toEqual([301, "/tags/dev/js?page=2"]);
    expect(await htmlOf("/posts/oldest")).toContain('href="/tags/dev/js"');
    for (const path of ["/tags/nothing", "/tags/%00", "/tags/%ff", "/tags/%25"])
      expect([path, (await anyone(path)).status]).toEqual([path, 404]);
  });

  test("show the whole text of each link among the links, and its beginning elsewhere", async () => {
    const link = { kind: "link", link: "https://example.com/quoted" };
    const text =
      "See [this](https://example.org/a).[^1]\n\n> Quoted.\n\n# A head\n\n## Below\n\n[^1]: A note.";
    const first = await publish("Quoted", { ...link, published_at: "2025-07-02T12:00:00Z" }, text);
    const second = await publish("Again", { ...link, published_at: "2025-07-03T12:00:00Z" }, text);
    await publish("At length", { ...link, slug: "at-length" }, "A sentence. ".repeat(4_000));
    await publish("In short", { ...link, summary: "The summary.", slug: "short" }, "The text.");
    const links = await htmlOf("/links");
    expect(links).toContain("<blockquote>\n<p>Quoted.</p>\n</blockquote>");
    expect(links).toContain('<p>See <a href="https://example.org/a">this</a>.');
    expect(links).toContain('<div class="prose e-content" dir="auto">');
    for (const { id } of [first, second]) {
      expect(links).toContain(`<h3 id="p${id}-h-a-head">A head</h3>`);
      expect(links).toContain(`<h4 id="p${id}-h-below">Below</h4>`);
      expect(links).toContain(`<a href="#p${id}-fn-1" aria-label="Note 1" id="p${id}-fnref-1">`);
      expect(links).toContain(`<li id="p${id}-fn-1">`);
    }
    expect(links).toContain('<p class="entry p-summary" dir="auto">The summary.</p>');
    expect(links).toContain("<p>The text.</p>");
    // A very long text is cut even here.
    expect(links.length).toBeLessThan(30_000);
    const onward = '<p class="onward"><a href="/posts/at-length">Read on <span class="unseen">in “At length”';
    expect(links).toContain(onward);
    const front = await htmlOf("/");
    expect(front).toContain(onward);
    expect(front).toContain('<a href="/posts/short">Read on');
    expect(front).not.toContain("<blockquote>");
    // Nothing is left out of a short text.
    expect(front).not.toContain(`<a href="/posts/a-link">Read on`);
    expect((await anyone("/links")).headers.get("content-security-policy")).toContain(
      "img-src 'self' https:",
    );
    expect((await anyone("/")).headers.get("content-security-policy")).not.toContain("https:");
  });

  test("show a post with its neighbors, its tags and its comments", async () => {
    const post = await publish(
      "Commented",
      { published_at: "2025-06-15T12:00:00Z", tags: ["one"] },
      "# Head\n\n*Text*",
    );
    await createComment(editor, post, {
      author: "Ada <b>",
      text: "First https://example.com/x\n<script>alert(1)</script>",
    });
    const html = await htmlOf("/posts/commented");
    for (const part of [
      "<h1",
      '<h2 id="h-head">Head</h2>',
      "<em>Text</em>",
      'href="/posts/middle-b-co-b"',
      'href="/posts/a-link"',
      'href="/tags/one"',
      "Ada &lt;b>",
      '<a href="https://example.com/x" rel="ugc nofollow">',
      "&lt;script>alert(1)&lt;/script>",
    ])
      expect(html).toContain(part);
    expect(html).not.toContain("<script");
  });

  test("redirect permanently from an id, a former slug and the other folder to the post", async () => {
    const post = await publish("Moved", {});
    await editor(`${pathOf(post)}publication/`, { method: "PATCH", json: { slug: "moved-on" } });
    for (const path of [`/posts/${post.id}`, "/posts/moved"]) {
      const response = await anyone(path);
      expect([path, response.status, response.headers.get("location")]).toEqual([
        path,
        301,
        "/posts/moved-on",
      ]);
    }
    expect((await anyone("/posts/about-us")).headers.get("location")).toBe("/about-us");
    for (const path of [
      "/posts/nothing",
      "/posts/99999",
      "/posts/0",
      `/posts/${"9".repeat(40)}`,
      "/posts/%00",
    ])
      await htmlOf(path, 404);
  });

  test("show static pages outside the stream, and do not affect other paths", async () => {
    expect(await htmlOf("/about-us")).toContain("About us");
    expect((await anyone("/moved-on")).status).toBe(404);
    expect((await anyone("/nothing")).headers.get("content-type")).toBe("application/problem+json");
    expect((await anyone("/about-us", { method: "POST" })).status).toBe(404);
    expect((await anyone("/about-us/")).headers.get("location")).toBe("/about-us");
  });

  test("count years in the site's time zone", async () => {
    const html = await htmlOf("/archive/2024");
    expect(html).toContain("Oldest");
    expect(html).toContain("December");
    expect((await anyone("/archive/20x4")).status).toBe(404);
  });

  test("lead from a year without posts to those with posts", async () => {
    const html = await htmlOf("/archive/2023", 404);
    expect(html).toContain("<title>Archive · 2023");
    expect(html).toContain("Nothing was published in 2023.");
    expect(html).toContain('<a href="/archive/2024">2024 (');
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(await htmlOf("/archive/0000", 404)).toContain('<a href="/archive/2024">');
  });

  test("have metadata for link previews and parsers", async () => {
    const html = await htmlOf("/posts/middle-b-co-b");
    expect(html).toContain('<link rel="canonical" href="http://localhost/posts/middle-b-co-b"');
    expect(html).toContain('<meta property="og:title" content="Middle &lt;b>&amp; co&lt;/b>"');
    expect(html).toContain('<div class="h-entry"><article class="piece" lang="de">');
    expect(html).toContain('<link rel="author" href="/"');
    expect(html).toContain('<a class="name h-card" href="/" dir="auto">Commonplace</a>');
    expect(html).toContain('class="dt-published" datetime="2025-06-01T12:00:00.000Z"');
  });

  test("show the image of a post above its text, and once, in feeds as well", async () => {
    const shot = (n: number) => `https://example.com/${n}.jpg`;
    const textOf = (html: string) => /<div class="prose e-content"[^>]*>(.*?)<\/div>/s.exec(html)?.[1];
    await publish("With an image", { slug: "with-an-image", image: shot(1) }, "Its *text*.");
    expect(textOf(await htmlOf("/posts/with-an-image"))).toStartWith(
      `<p><img src="${shot(1)}" alt="" decoding="async" fetchpriority="high" /></p>\n<p>Its <em>text</em>.</p>`,
    );
    expect(await htmlOf("/posts/with-an-image")).toContain(
      '<meta name="twitter:card" content="summary_large_image"',
    );
    expect(await (await anyone("/feed.json")).text()).toContain(shot(1));
    await publish(
      "Picture in the text",
      { slug: "image-in-the-text", image: shot(2) },
      `Above.\n\n![A](${shot(2)})`,
    );
    expect(textOf(await htmlOf("/posts/image-in-the-text"))?.split(shot(2))).toHaveLength(2);
    await publish("Image over http", { slug: "image-over-http", image: "http://example.com/3.jpg" }, "Text.");
    expect(textOf(await htmlOf("/posts/image-over-http"))).toStartWith("<p>Text.</p>");
  });

  test("each have a description, also while the site has none and a post has no text", async () => {
    await publish("Nothing to read", { slug: "empty" }, "");
    const descriptionOf = (html: string) => /<meta name="description" content="([^"]*)"/.exec(html)?.[1];
    const described = new Map<string, string | undefined>();
    for (const path of [
      ...[
        "/",
        "/archive",
        "/archive/2024",
        "/links",
        "/tags/dev",
        "/search",
        "/posts/oldest",
        "/posts/empty",
      ],
      ...["/posts/a-link", "/about-us", "/sign-in"],
    ])
      described.set(path, descriptionOf(await htmlOf(path)));
    expect([...described].filter(([, text]) => !text)).toEqual([]);
    expect(described.get("/")).toBe("Posts and links published on Commonplace.");
    expect(described.get("/posts/oldest")).toBe("Text.");
    expect(described.get("/posts/empty")).toBe("“Nothing to read”, a post on Commonplace.");
    expect(await htmlOf("/posts/empty")).toContain(
      '<meta property="og:description" content="“Nothing to read”, a post on Commonplace."',
    );
  });

  test("are the same bytes for everyone, with a tag that changes when they do", async () => {
    const etag = await etagOf(anyone, "/");
    const again = await anyone("/", { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get("cache-control")).toBe("no-cache");
    // A browser replaces the headers that it has stored: those of a post allow foreign images.
    const post = await anyone("/posts/oldest");
    const unchanged = await anyone("/posts/oldest", {
      headers: { "if-none-match": post.headers.get("etag") ?? "" },
    });
    expect(unchanged.status).toBe(304);
    for (const name of ["content-security-policy", "vary", "referrer-policy", "cache-control"])
      expect([name, unchanged.headers.get(name)]).toEqual([name, post.headers.get(name)]);
    await publish("Newest", {});
    expect((await anyone("/", { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  test("show a scheduled post from its time on, also from the cache", async () => {
    const { id } = await createPost(editor, { title: "Scheduled for later", published: false });
    const at = new Date(Date.now() + 30_000);
    await editor(`${DRAFTS}${id}/publication/`, { method: "PATCH", json: { publish_at: at.toISOString() } });
    expect(await htmlOf("/")).not.toContain("Scheduled for later");
    setSystemTime(at.getTime() - 1);
    expect(await htmlOf("/")).not.toContain("Scheduled for later");
    setSystemTime(at);
    expect(await htmlOf("/")).toContain("Scheduled for later");
    setSystemTime();
  });

  test("find published posts, and show the position of an error in a query", async () => {
    const found = await htmlOf("/search?q=oldest");
    expect(found).toContain("1 post<");
    expect(found).toContain('href="/posts/oldest"><mark>Oldest</mark></a>');
    expect(await htmlOf("/search?q=never+shown")).toMatch(
      /Nothing found for “never shown”\..*look through the <a href="\/archive">archive<\/a>/s,
    );
    expect(await htmlOf("/search")).toContain('type="search"');
    const wrong = await htmlOf("/search?q=%22open", 422);
    expect(wrong).toContain('value="&quot;open"');
    expect(wrong).toMatch(
      /role="alert"><h2>This search cannot be read<\/h2><p>This quotation mark is not closed/,
    );
    expect(wrong).toContain('<a href="/search?q=open">Search for “<bdi>open</bdi>”</a>');
    expect(await htmlOf("/search?q=%3Cscript%3Ealert(1)%3C/script%3E")).not.toContain("<script>alert");
  });

  test("come in pages of twenty", async () => {
    for (let n = 1; n <= 22; n++)
      await publish(`Number ${n}`, { published_at: `2020-01-${String(n).padStart(2, "0")}T00:00:00Z` });
    expect(await htmlOf("/")).toContain('href="/?page=2" rel="next"');
    const second = await htmlOf("/?page=2");
    expect(second).toContain('href="/" rel="prev"');
    expect(second).toContain("Number 1<");
    await htmlOf("/?page=9", 404);
  });

  test("have all titles of a year, in pages", async () => {
    await blog.database.write(async (sql) => {
      for (let n = 0; n < 1001; n++)
        await insertPost(
          sql,
          { title: `Old ${n}`, content: "", published: true },
          undefined,
          new Date(Date.UTC(2001, 0, 2) + n * 60_000),
        );
    });
    const first = await htmlOf("/archive/2001");
    const second = await htmlOf("/archive/2001?page=2");
    expect(first).toContain('href="/archive/2001?page=2" rel="next"');
    expect(second).toContain('href="/archive/2001" rel="prev"');
    expect((first + second).match(/>Old \d+</g)).toHaveLength(1001);
    await htmlOf("/archive/2001?page=3", 404);
  });

  test("highlight the matches with the text around them, and have more pages", async () => {
    const filler = "Filler words of no interest. ".repeat(30);
    for (let n = 1; n <= 21; n++)
      await publish(
        `Found ${n}`,
        {},
        n === 21 ? `${filler} A *kumquat* & <b>mo</b>re: \`<b>\`.` : "A kumquat.",
      );
    const first = await htmlOf("/search?q=kumquat");
    expect(first).toContain("21 posts, best first");
    expect(first).toContain("… ");
    expect(first).toContain("<mark>kumquat</mark> &amp; more: &lt;b>.");
    expect(first).not.toContain('rel="prev"');
    const [, more = ""] = /href="([^"]+)" rel="next"/.exec(first) ?? [];
    const second = await htmlOf(more.replaceAll("&amp;", "&"));
    expect(second).toContain("21 posts, best first");
    expect(second).toContain('href="/search?q=kumquat" rel="prev"');
    expect(second).not.toContain('rel="next"');
    const titles = (first + second).match(/>Found \d+</g) ?? [];
    expect([titles.length, new Set(titles).size]).toEqual([21, 21]);
    const stale = await anyone("/search?q=kumquat&cursor=stale");
    expect([stale.status, stale.headers.get("location")]).toEqual([303, "/search?q=kumquat"]);
  });
});

describeBlog(
  "A private site",
  ({ anyone, editor }) => {
    test("shows nothing to strangers", async () => {
      await createPost(editor, { title: "Secret" });
      const response = await anyone("/posts/secret");
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toStartWith("/sign-in");
      const own = await editor("/posts/secret");
      expect(own.status).toBe(200);
      expect(own.headers.get("cache-control")).toContain("private");
      // A feed reader is a stranger.
      expect(await own.text()).not.toContain("Follow in a feed reader");
    });
  },
  { POSTS_ACCESS: "private" },
);

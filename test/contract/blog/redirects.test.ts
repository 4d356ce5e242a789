import { beforeAll, expect, test } from "bun:test";
import { redirectPath } from "../../../src/records/redirect-path.ts";
import { createPost, describeBlog, pathOf } from "../../support/records/blog.ts";

describeBlog("Paths that a post had on another site", (blog) => {
  const { anyone } = blog;

  beforeAll(async () => {
    const { id } = await createPost(blog.editor, { title: "First light" });
    const draft = await createPost(blog.editor, { title: "Hidden", published: false });
    await blog.database.write(async (sql) => {
      for (const path of ["/2019/05/First_Light", "/?p=12", "/blog/ünï", "/posts/Old_Name", "/old"])
        await sql`insert into redirects (path, post_id) values (${path}, ${id})`;
      await sql`insert into redirects (path, post_id) values (${"/hidden"}, ${draft.id})`;
    });
  });

  test.each([
    "/2019/05/First_Light",
    "/2019/05/First_Light/",
    "/2019/05/First_Light/index.html",
    "/2019/05/First_Light?utm_source=feed",
    "/?p=12",
    "/blog/%C3%BCn%C3%AF",
    "/blog/u%CC%88ni%CC%88/",
    "/posts/Old_Name",
    "/old",
  ])("%s leads to it for good", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await anyone(path, { method });
      expect([response.status, response.headers.get("location")]).toEqual([301, "/posts/first-light"]);
    }
  });

  test.each(["/hidden", "/2019", "/2019/05", "/old/more", "//old", "/%E0%A4%A/x"])(
    "%s does not redirect",
    async (path) => {
      expect((await anyone(path)).status).toBe(404);
    },
  );

  test.each(["/login", "/signin", "/admin", "/dashboard", "/wp-admin/", "/wp-login.php", "/ghost/"])(
    "%s leads to the sign-in",
    async (path) => {
      const response = await anyone(path);
      expect([response.status, response.headers.get("location")]).toEqual([303, "/sign-in"]);
    },
  );

  test("unless a page or redirect has the address", async () => {
    await blog.database.write((sql) => sql`update redirects set path = '/login' where path = '/old'`);
    const page = await createPost(blog.editor, { title: "Admin" });
    await blog.editor(`${pathOf(page)}publication/`, { method: "PATCH", json: { kind: "page" } });
    expect((await anyone("/admin")).status).toBe(200);
    expect((await anyone("/login")).headers.get("location")).toBe("/posts/first-light");
  });

  test("and other parameters of the front page are ignored", async () => {
    for (const path of ["/?p=13", "/?p=x", "/?q=1"]) expect((await anyone(path)).status).toBe(200);
    expect((await anyone("/2019/05/First_Light", { method: "POST" })).status).toBe(404);
  });
});

describeBlog("Lists and feeds where other programs have them", (blog) => {
  const { anyone } = blog;
  const target = async (path: string) => {
    const response = await anyone(path);
    return [response.status, response.headers.get("location")];
  };

  beforeAll(async () => {
    const publish = async (title: string, publication: object) => {
      const post = await createPost(blog.editor, { title });
      const json = publication;
      await blog.editor(`${pathOf(post)}publication/`, { method: "PATCH", json });
      return post;
    };
    const tags = ["Dev-Notes", "Dev-Notes/Art"];
    const post = await publish("First light", { tags, published_at: "2019-05-01T12:00:00Z" });
    await publish("About", { kind: "page" });
    await publish("Blog", { kind: "page" });
    for (let count = 0; count < 20; count++) await createPost(blog.editor, { title: "A post" });
    await blog.database.write(
      (sql) => sql`insert into redirects (path, post_id) values (${"/2019/05/first"}, ${post.id})`,
    );
    await blog.database.write(
      (sql) => sql`insert into redirects (path, post_id) values (${"/rss.xml"}, ${post.id})`,
    );
  });

  test.each<[paths: readonly string[], to: string]>([
    [["/rss", "/rss/", "/feed", "/feed/", "/feed/rss2/", "/index.xml", "/blog/feed/"], "/feed.rss"],
    [["/feed.xml", "/atom.xml", "/feed/atom/", "/feeds/all.atom.xml"], "/feed.atom"],
    [["/tag/dev-notes/", "/category/Dev-Notes", "/categories/dev-notes/index.html"], "/tags/dev-notes"],
    [
      ["/category/a/dev-notes/feed/", "/tag/dev-notes/rss/", "/tags/dev-notes/index.xml"],
      "/tags/dev-notes/feed.rss",
    ],
    [["/page/2/", "/page/2", "/posts/page/2/"], "/?page=2"],
    [["/page/1/", "/posts/"], "/"],
    [["/2019/", "/2019/05/"], "/archive/2019"],
    [["/archives/", "/categories/"], "/archive"],
    [["/about/", "/about.html", "/about/index.html"], "/about"],
    [["/2019/05/first/feed/"], "/posts/first-light/comments.atom"],
    // What an import has stored, and a page of the site, win.
    [["/rss.xml"], "/posts/first-light"],
    [["/blog/"], "/blog"],
  ])("%j lead for good to %s", async (paths, to) => {
    for (const path of paths) expect([path, ...(await target(path))]).toEqual([path, 301, to]);
  });

  test.each([
    ...["/tag/none/", "/tag/none/feed/", "/tags/none/index.xml", "/category/", "/tag/"],
    ...[
      "/page/3/",
      "/page/0/",
      "/page/x/",
      "/tag/dev-notes/page/2/",
      "/2018/",
      "/2019/13/",
      "/author/nobody/",
    ],
    ...["/none/", "/none.html", "/none/feed/", "/feed/x", "/rss/x/y"],
  ])("%s leads nowhere", async (path) => {
    expect(await target(path)).toEqual([404, null]);
  });

  test("and only for reading", async () => {
    expect((await anyone("/rss/", { method: "POST" })).status).toBe(404);
    expect((await anyone("/rss/", { method: "HEAD" })).status).toBe(301);
  });
});

test("The form in which such a path is stored", () => {
  for (const [path, stored] of [
    ["/2019/05/x/", "/2019/05/x"],
    ["/%C3%BC/index.html", "/ü"],
    ["/?p=12&preview=true", "/?p=12"],
    ["/?page_id=2", "/?page_id=2"],
    ["/x?p=12#top", "/x"],
    ["/", undefined],
    ["", undefined],
    ["//evil.example", undefined],
    ["/\\evil.example", undefined],
    ["https://example.org/x", undefined],
    ["/?p=0", undefined],
    [`/${"x".repeat(1_000)}`, undefined],
  ] as const)
    expect([path, redirectPath(path)]).toEqual([path, stored]);
});

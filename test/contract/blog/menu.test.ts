import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { createPost, describeBlog, pathOf } from "../../support/records/blog.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";

/** The texts of the links of a page's menu and of its foot. */
function linksOf(html: string, label = "Main"): { menu: string[]; foot: string[] } {
  const texts = (part: string | undefined) =>
    [...(part ?? "").matchAll(/<a [^>]*>([^<]*)/g)].map(([, text = ""]) => text);
  return {
    menu: texts(new RegExp(`<nav aria-label="${label}".*?</nav>`, "s").exec(html)?.[0]),
    foot: texts(/<footer.*?<\/footer>/s.exec(html)?.[0]),
  };
}

describeBlog(
  "What readers find",
  (blog) => {
    const { anyone, browser, editor } = blog;
    const html = async (path: string, send = anyone) =>
      (await send(path, { headers: { accept: "text/html" } })).text();
    const made = new Map<string, { id: number; published: boolean }>();

    async function make(title: string, publication: object, published = true): Promise<void> {
      made.set(title, await createPost(editor, { title, published }));
      await change(title, publication);
    }

    async function change(title: string, json: object): Promise<void> {
      const response = await editor(`${pathOf(postOf(title))}publication/`, { method: "PATCH", json });
      expect(response.status).toBe(200);
    }

    function postOf(title: string): { id: number; published: boolean } {
      const post = made.get(title);
      if (post === undefined) throw new Error(`There is no post ${title}.`);
      return post;
    }

    const asLink = { kind: "link", link: "https://example.com/page" };

    const states: readonly (readonly [string, () => Promise<unknown>, readonly string[]])[] = [
      ["nothing is published", async () => {}, ["Posts"]],
      [
        "drafts and static pages have kinds and tags",
        async () => {
          await make("Draft", { ...asLink, tags: ["x"] }, false);
          await make("About", { kind: "page", tags: ["x"] });
        },
        ["Posts"],
      ],
      ["a link is published", () => make("Link", asLink), ["Posts", "Linkblog", "Archive"]],
      ["a post has a tag", () => make("Tagged", { tags: ["Dev"] }), ["Posts", "Linkblog", "Archive", "Tags"]],
      [
        "the link is deleted",
        () => editor(pathOf(postOf("Link")), { method: "DELETE" }),
        ["Posts", "Archive", "Tags"],
      ],
      ["the tag is removed", () => change("Tagged", { tags: [] }), ["Posts", "Archive"]],
    ];

    for (const [state, reach, menu] of states)
      test(`in the menu when ${state}: ${menu.join(", ")}`, async () => {
        await html("/archive");
        await reach();
        for (const path of ["/", "/archive", "/tags", "/search", "/about", "/no/such/page", "/sign-in"])
          expect([path, linksOf(await html(path))]).toEqual([
            path,
            { menu: [...menu], foot: ["Feed", ...menu.filter((name) => name === "Archive"), "Search"] },
          ]);
        const [one, other] = [
          await anyone("/archive"),
          await anyone("/archive", { headers: { cookie: "a=b" } }),
        ];
        expect(one.headers.get("etag")).toBe(other.headers.get("etag"));
        expect(await one.text()).toBe(await other.text());
        // The owner sees what readers see, below the menu that every page of the owner has.
        const owned = await html("/archive", browser);
        expect(linksOf(owned).menu).toEqual([...menu]);
        const own = ["Today", "Library", "Posts", "Write", "Comments"];
        expect(linksOf(owned, "Your pages").menu).toEqual(own);
        expect(linksOf(await html("/library", browser)).menu).toEqual(own);
      });

    test("the description above the first page of the front, once there is one", async () => {
      const lead = '<p class="lead" dir="auto">';
      expect(await html("/")).not.toContain(lead);
      await blog.database.write((sql) => saveSite(sql, { description: "Notes <on> maps." }, new Date()));
      expect(await html("/")).toContain(`${lead}Notes &lt;on> maps.</p>`);
      expect(await html("/links")).not.toContain(lead);
      for (let count = 0; count < 21; count++) await createPost(editor, { title: `Post ${count}` });
      expect((await html("/?page=2")).match(/<article/g)).not.toBeNull();
      expect(await html("/?page=2")).not.toContain(lead);
    });
  },
  { BOOKMARKS_ACCESS: "private" },
);

describeBlog("The tags of a site", (blog) => {
  const { anyone, browser, editor } = blog;
  const publish = async (title: string, publication: object, published = true) => {
    const post = await createPost(editor, { title, published });
    const response = await editor(`${pathOf(post)}publication/`, { method: "PATCH", json: publication });
    expect(response.status).toBe(200);
  };
  /** Name, path and number of each tag. */
  const tags = async () =>
    [
      ...(await (await anyone("/tags")).text()).matchAll(
        /<li><a href="([^"]*)" dir="auto">([^<]*)<\/a>\u00a0<span class="count">(\d+) <span class="unseen">(\w+)/g,
      ),
    ].map(([, ...found]) => found.join(" "));

  test("are listed by name, with the number of posts that their page lists", async () => {
    expect(await (await anyone("/tags")).text()).toContain("No post has a tag yet.");
    expect(await (await browser("/tags")).text()).toContain("in the editor.");
    await publish("One", { tags: ["dev", "Zoo", "dev/js"] });
    await publish("Two", { tags: ["dev/js"] });
    await publish("Three", {
      tags: ["Dev", "dev-ops", "übung", "a/b/c"],
      kind: "link",
      link: "https://example.com/",
    });
    await publish("Hidden", { tags: ["hidden", "dev"] }, false);
    await publish("About", { tags: ["about", "dev"], kind: "page" });
    expect(await tags()).toEqual([
      "/tags/a/b/c a/b/c 1 post",
      "/tags/dev Dev 3 posts",
      "/tags/dev-ops dev-ops 1 post",
      "/tags/dev/js dev/js 2 posts",
      "/tags/%C3%BCbung übung 1 post",
      "/tags/zoo Zoo 1 post",
    ]);
    for (const line of await tags()) {
      const [path = "", , count] = line.split(" ");
      const page = await (await anyone(path)).text();
      expect([path, page.match(/<article/g)?.length]).toEqual([path, Number(count)]);
    }
  });

  test("are on pages of a thousand", async () => {
    const names = Array.from({ length: 1001 }, (_, n) => `t${n}`);
    await blog.database.write(async (sql) => {
      const [post] = await sql<{ id: number }>`select id from posts where title = 'Two'`;
      for (const [index, name] of names.entries())
        await sql`insert into post_tags (post_id, position, key, name) values (${post?.id ?? 0}, ${index + 10}, ${name}, ${name})`;
    });
    await publish("Four", {});
    expect(await tags()).toHaveLength(1000);
    const next = await anyone("/tags?page=2");
    expect((await next.text()).match(/class="count"/g)).toHaveLength(7);
    expect((await anyone("/tags?page=3")).status).toBe(404);
  });
});

describe("Before the first account", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  test("the foot leads to the API and to signing in", async () => {
    const { foot } = linksOf(await (await app.request("/archive")).text());
    expect(foot).toEqual(["Feed", "Search", "API", "Sign in"]);
  });
});

import { beforeAll, expect, test } from "bun:test";
import { parseFeed } from "@rowanmanning/feed-parser";
import { setDisplayName } from "../../../src/accounts/account-store.ts";
import { createComment, createPost, describeBlog, pathOf } from "../../support/records/blog.ts";

describeBlog(
  "Who wrote a post",
  (blog) => {
    const { anyone, editor } = blog;
    const html = async (path: string, status = 200) => {
      const response = await anyone(path);
      expect([path, response.status]).toEqual([path, status]);
      return response.text();
    };
    const authorMeta = (page: string) => /<meta name="author" content="([^"]*)"/.exec(page)?.[1];
    /** The authors that a reader of microformats finds in an entry, without those of its comments. */
    const authorsOf = (page: string) =>
      [
        ...(page.split('class="row talk"')[0] ?? "").matchAll(
          /<(\w+) class="p-author[^"]*"(?: value="([^"]*)")?[^>]*>(?:<bdi>([^<]*))?/g,
        ),
      ].map(([, element, value, name]) => [element, value ?? name]);

    beforeAll(async () => {
      const line = { author_line: "Keeps bees." };
      await editor("/api/site/", { method: "PATCH", json: line });
      const post = await createPost(editor, { title: "First" });
      await createComment(anyone, post, { author: "Mallory" });
      const page = await createPost(editor, { title: "About" });
      await editor(`${pathOf(page)}publication/`, { method: "PATCH", json: { kind: "page" } });
      await createPost(editor, { title: "Hidden", published: false });
    });

    test("is told only to programs while one account writes, by the site's name or the displayed one", async () => {
      for (const name of ["Commonplace", "Ada Lovelace"]) {
        const page = await html("/posts/first");
        expect([authorMeta(page), authorsOf(page)]).toEqual([name, [["data", name]]]);
        expect(page.match(/Mallory/g)).toHaveLength(1);
        expect(page).toContain("Keeps bees.");
        const list = await html("/");
        expect([authorsOf(list), list.includes("/authors/")]).toEqual([[], false]);
        expect((await html("/feed.atom")).split("<entry>").slice(1).join("")).not.toContain("<author>");
        if (name === "Commonplace") await rename(await accountOf("First"), "Ada Lovelace");
      }
    });

    test("is shown on pages, lists and in feeds once several write, with a page and feeds of each", async () => {
      const { id } = await createPost(editor, { title: "Second" });
      const other = await blog.database.write(async (sql) => {
        const [row] = await sql<{ id: number }>`
          insert into accounts (username, username_key, password_hash, created_at, updated_at)
          values ('grace', 'grace', 'x', ${new Date()}, ${new Date()}) returning id`;
        await sql`update posts set created_by = ${row?.id ?? 0} where id = ${id}`;
        return Number(row?.id);
      });
      await createPost(editor, { title: "Third" });

      const page = await html("/posts/second");
      expect([authorMeta(page), authorsOf(page)]).toEqual(["grace", [["a", "grace"]]]);
      for (const path of ["/posts/first", "/posts/second"])
        expect(await html(path)).not.toContain("Keeps bees.");
      const list = await html("/");
      expect(authorsOf(list).map(([, name]) => name)).toEqual(["Ada Lovelace", "grace", "Ada Lovelace"]);
      expect(list).toContain('href="/authors/ada-lovelace"');
      expect(list).not.toContain("editor");
      expect(await html("/about")).not.toContain("/authors/");
      for (const format of ["atom", "rss"]) {
        const { items } = parseFeed(await html(`/feed.${format}`));
        expect(items.map(({ authors }) => authors[0]?.name)).toEqual([
          "Ada Lovelace",
          "grace",
          "Ada Lovelace",
        ]);
        const own = parseFeed(await html(`/authors/grace/feed.${format}`));
        expect(own.items.map(({ title }) => title)).toEqual(["Second"]);
      }
      const json = JSON.parse(await html("/feed.json"));
      expect(json.items[1].authors).toEqual([{ name: "grace", url: "http://localhost/authors/grace" }]);

      const mine = await html("/authors/ada-lovelace");
      for (const title of ["Third", "First"]) expect(mine).toContain(`>${title}</a>`);
      expect(authorsOf(mine)).toEqual([]);
      for (const title of ["Second", "Hidden", "About"]) expect(mine).not.toContain(`>${title}</a>`);
      expect(mine).toContain('href="/authors/ada-lovelace/feed.atom"');
      for (const path of ["/authors/nobody", "/authors/editor", "/authors/nobody/feed.atom"])
        await html(path, 404);

      const moved = async (path: string) => (await anyone(path)).headers.get("location");
      expect(await moved(`/authors/${other}`)).toBe("/authors/grace");
      expect(await moved("/author/ada-lovelace/")).toBe("/authors/ada-lovelace");
      expect(await moved("/author/grace/feed/")).toBe("/authors/grace/feed.rss");

      await rename(other, "Grace Hopper");
      expect(authorMeta(await html("/posts/second"))).toBe("Grace Hopper");
      expect(await html("/")).toContain('href="/authors/grace-hopper"');
    });

    test("is not said of a post whose account is gone", async () => {
      await blog.database.write((sql) => sql`update posts set created_by = null where title = 'Third'`);
      await createPost(editor, { title: "Fourth" });
      expect(await html("/posts/first")).not.toContain("Keeps bees.");
      await blog.database.write((sql) => sql`update posts set created_by = null where title = 'Second'`);
      await createPost(editor, { title: "Fifth" });
      expect(await html("/posts/first")).toContain("Keeps bees.");
      expect(await html("/posts/second")).not.toContain("Keeps bees.");
      const page = await html("/posts/third");
      expect([authorMeta(page), authorsOf(page)]).toEqual(["Commonplace", [["data", "Commonplace"]]]);
    });

    async function accountOf(title: string): Promise<number> {
      const [row] = await blog.database.read<{ created_by: number }>`
        select created_by from posts where title = ${title}`;
      return Number(row?.created_by);
    }

    async function rename(id: number, name: string): Promise<void> {
      await blog.database.write((sql) => setDisplayName(sql, id, name, new Date()));
    }
  },
  { COMMENTS: "open" },
);

describeBlog("The feeds that a page names", (blog) => {
  const feedsOf = async (path: string) => {
    const page = await (await blog.anyone(path)).text();
    return [...page.matchAll(/<link rel="alternate"[^>]*>/g)].map(([link]) => [
      /href="([^"]*)"/.exec(link)?.[1],
      /title="([^"]*)"/.exec(link)?.[1],
    ]);
  };

  test("begin with the site's on a post, and have titles", async () => {
    const post = await createPost(blog.editor, { title: "First" });
    await blog.editor(`${pathOf(post)}publication/`, { method: "PATCH", json: { tags: ["dev"] } });
    const site = ["/feed.atom", "/feed.rss", "/feed.json"].map((path) => [path, "Commonplace"]);
    expect(await feedsOf("/posts/first")).toEqual([
      ...site,
      ["/posts/first/comments.atom", "Comments on “First”"],
    ]);
    expect(await feedsOf("/tags/dev")).toEqual([["/tags/dev/feed.atom", "Commonplace · #dev"], ...site]);
    expect(await feedsOf("/")).toEqual(site);
  });
});

import { expect, test } from "bun:test";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { insertPost } from "../../../src/posts/post-store.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("One field for everything", (service) => {
  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const { request, database } = await service.startApp(settings);
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const browser = withHeaders(request, { cookie });
    const page = async (path: string) => (await browser(path)).text();
    /** What the field finds: the text of each line, and where it leads. */
    const find = async (q: string) => {
      const [, found = ""] =
        /<div id="found">(.*?)<\/find-anything>/s.exec(await page(`/find?${new URLSearchParams({ q })}`)) ??
        [];
      const lines = [...found.matchAll(/<a href="([^"]+)" dir="auto">(.*?)<\/a>/g)];
      return Object.fromEntries(
        lines.map(([, href = "", text = ""]) => [
          text.replaceAll(/<\/?mark>/g, ""),
          href.replaceAll("&amp;", "&"),
        ]),
      );
    };
    const save = async (title: string, url: string, description = "", at = "2019-03-02T12:00:00Z") =>
      (
        await database.write((sql) =>
          insertBookmark(sql, { title, url, description }, undefined, new Date(at)),
        )
      ).id;
    const publish = (title: string, published = true) =>
      database.write((sql) => insertPost(sql, { title, content: "Text.", published }, undefined, new Date()));
    return { browser, page, find, save, publish, database };
  };

  test("offers to save an address, which it never does itself, or leads to the link that is there", async () => {
    const { find, save, database } = await start();
    const url = "https://craigmod.com/essays/walking";
    const asked = await find(url);
    expect(asked["Save this address"]).toBe(`/library/new?${new URLSearchParams({ url })}`);
    expect(asked["Save it to read later"]).toBe(`/library/new?${new URLSearchParams({ url, unread: "1" })}`);
    expect(await find("craigmod.com/essays/walking")).toHaveProperty("Save this address");
    expect(await database.read`select 1 from bookmarks`).toEqual([]);
    const id = await save("Walking", "http://www.craigmod.com/essays/walking/");
    const known = await find(`${url}?utm_source=mail`);
    expect(known["You saved it on March\u00a02,\u00a02019"]).toBe(`/library/${id}`);
    expect(known).not.toHaveProperty("Save this address");
    for (const word of [
      "node.js",
      "craigmod",
      "a craigmod.com/x",
      "javascript:alert(1)",
      "ftp://x.example/y",
    ])
      expect(await find(word)).not.toHaveProperty("Save this address");
  });

  test("finds links and published posts by words, also half a word", async () => {
    const { find, page, save, publish } = await start();
    await save("A map of the harbor", "https://maps.example/harbor");
    const { id } = await publish("Maps of my walks");
    await publish("Maps not yet published", false);
    expect(await find("map")).toEqual({
      "Search the library for “map”": "/library?q=map",
      "Search posts for “map”": "/search?q=map",
      "A map of the harbor": "https://maps.example/harbor",
      "Maps of my walks": expect.stringMatching(new RegExp(`^/posts/(${id}|maps-of-my-walks)$`)),
    });
    // The first line is what Enter opens.
    expect(Object.keys(await find("map"))).toEqual([
      "A map of the harbor",
      "Maps of my walks",
      "Search the library for “map”",
      "Search posts for “map”",
    ]);
    expect(Object.keys(await find("nosuch"))[0]).toBe("Search the library for “nosuch”");
    expect(await page("/find?q=map")).toContain("A <mark>map</mark> of the harbor");
    expect(await page("/find?q=text")).toMatch(/Maps of my walks<\/a>.*, in the text<\/span>/);
    for (const q of ['"map (', "(", "-", "no such:field"])
      expect(Object.values(await find(q))).toContain(`/library?${new URLSearchParams({ q })}`);
  });

  test("completes tags after #, and lists pages after >", async () => {
    const { find, save } = await start();
    await save("One", "https://a.example/", "#walking #essays");
    await save("Two", "https://b.example/", "#walking");
    expect(await find("#wal")).toEqual({ "#walking": "/library?q=%23walking" });
    expect(await find("#nosuch")).toEqual({});
    expect(await find(">imp")).toMatchObject({ "Import links": "/library/import" });
    expect(await find("> new po")).toEqual({ "New post": "/write/new" });
    expect(Object.keys(await find(""))).toContain("Today");
    expect(await find(">nosuch")).toEqual({});
  });

  test("puts pages whose names begin with what is typed first, and other pages below what is found", async () => {
    const { find, save } = await start();
    await save("A typeface set in lead", "https://lead.example/");
    await save("An import of marmalade", "https://marmalade.example/");
    const lines = async (q: string) => Object.keys(await find(q));
    expect((await lines("Set")).slice(0, 2)).toEqual(["Settings", "A typeface set in lead"]);
    expect((await lines("import")).slice(0, 2)).toEqual(["Import links", "Import a blog"]);
    expect((await lines("marm"))[0]).toBe("An import of marmalade");
    // “Save pages while you browse” has the word, but does not begin with it.
    await save("How to browse a shelf", "https://shelf.example/");
    expect((await lines("browse"))[0]).toBe("How to browse a shelf");
  });

  test("leads only to what the server has", async () => {
    const links = await start({ SERVICES: "bookmarks" });
    expect(Object.values(await links.find(">"))).not.toContain("/write");
    expect(Object.keys(await links.find("word"))).toEqual(["Search the library for “word”"]);
    const posts = await start({ SERVICES: "posts" });
    expect(Object.values(await posts.find(">"))).not.toContain("/library");
    expect(Object.keys(await posts.find("https://x.example/a"))).toEqual([
      "Search posts for “https://x.example/a”",
    ]);
    expect(await posts.find("#tag")).toHaveProperty("Search posts for “#tag”");
  });

  test("every page that it names is there", async () => {
    const { browser, find } = await start();
    const pages = Object.values(await find(">"));
    for (const letter of "abcdefghijklmnopqrstuvwxyz") pages.push(...Object.values(await find(`>${letter}`)));
    const named = [...new Set(pages)];
    expect(named.length).toBeGreaterThan(20);
    for (const path of named) expect([path, (await browser(path)).status < 400]).toEqual([path, true]);
  });

  test("in the library's field, an address asks whether to save it, with or without a script", async () => {
    const { page, save } = await start();
    const url = "https://craigmod.com/essays/walking";
    const search = `/library?${new URLSearchParams({ q: url })}`;
    expect(await page(search)).toContain(">Save this address</a>");
    const id = await save("Walking", url);
    expect(await page(search)).toContain(`<a href="/library/${id}">You saved it on`);
    expect(await page("/library?q=walking")).not.toContain("You saved it");
    expect(await page("/library?q=walking")).toContain('<a href="/search?q=walking">In posts</a>');
  });

  test("has no script for readers, and none in the editor", async () => {
    const { page, browser, save } = await start();
    await save("One", "https://a.example/");
    for (const path of ["/settings", "/find", "/moderation"]) expect(await page(path)).toContain("/find.js");
    expect(await page("/library")).toMatch(/<html [^>]*data-finder="\/assets\/[^"]+\/find\.js"/);
    for (const path of ["/", "/archive", "/sign-in"])
      expect(await (await browser(path, { headers: { cookie: "" } })).text()).not.toContain("find.js");
    expect(await page("/")).not.toContain("find.js");
    expect(await page("/write/5f0c9e1a-b27d-4c38-86e0-d9b1f4a2c37e")).not.toContain("find.js");
  });
});

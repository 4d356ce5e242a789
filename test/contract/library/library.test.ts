import { expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import { writeBookmarks } from "../../../src/bookmarks/bookmark-writer.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const NEW = {
  url: "https://kitchen.example/quince",
  title: "Quince paste",
  note: "Half the sugar.",
  tags: "",
};

describeApp("The library", (service) => {
  const start = async (settings: Record<string, string> = {}) => {
    const app = await service.startApp({ BOOKMARKS_ACCESS: "open", ...settings });
    const all = async () => (await (await app.request("/bookmarks/")).json()) as BookmarkResponse[];
    const add = async (fields = {}) => submit(app.request, "/library/new", { ...NEW, ...fields });
    const page = async (path: string) => (await app.request(path)).text();
    return { ...app, all, add, page };
  };

  test("saves a link by a form, and shows it under today", async () => {
    const { add, all, page } = await start();
    const response = await add({
      tags: "recipes, dev/web, 2024",
      suggested: ["autumn", "winter"],
      unread: "1",
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/library");
    const [bookmark] = await all();
    expect(bookmark).toMatchObject({
      title: "Quince paste",
      description: "Half the sugar.\n#recipes #dev/web #2024 #autumn #winter",
    });
    const html = await page("/library");
    expect(html).toContain("Today");
    expect(html).toContain(">Quince paste</a>");
    expect(html).toContain(">Half the sugar.</p>");
    expect(html).toContain("#dev/web</a>");
    const unread = await page("/library?show=unread");
    expect(unread).toContain(">Quince paste</a>");
    expect(unread).toContain('role="status">1 to read later</span>');
    // What all entries of a list are is said above it, not in each row.
    expect(html).toContain("<b>read later</b>");
    expect(unread).not.toContain("<b>read later</b>");
    expect(await page("/library?q=dev")).toContain("#<mark>dev</mark>/web</a>");
    expect(await page("/library?select=1")).toMatch(/<label><input [^>]+> <span dir="auto">Quince paste/);
    expect(await page("/library?show=archived")).not.toContain(">Quince paste</a>");
  });

  test("accepts an address without its scheme", async () => {
    const { add, all } = await start();
    for (const url of [" example.org/page ", "localhost.test:8000/x", "HTTP://EXAMPLE.com:80"])
      expect((await add({ url })).status).toBe(303);
    expect((await all()).map(({ url }) => url)).toEqual([
      "http://example.com/",
      "https://localhost.test:8000/x",
      "https://example.org/page",
    ]);
  });

  test("shows a refused form again, with its errors and the typed values", async () => {
    const { add, all } = await start();
    const response = await add({ url: "javascript:alert(1)", title: "t".repeat(201), note: "a\r\nb & <c>" });
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain("<title>Error: Add a link");
    expect(html).toContain('aria-describedby="url-error"');
    expect(fieldValue(html, "url")).toBe("javascript:alert(1)");
    expect(fieldValue(html, "note")).toBe("a\nb & <c>");
    expect(await all()).toEqual([]);
  });

  test("asks what to do about an already saved page: merge, or save both", async () => {
    const { add, all, page } = await start();
    await add({ tags: "recipes" });
    const asking = await page(`/library/new?url=${encodeURIComponent(NEW.url)}`);
    expect(asking).toContain("You already saved this page on");
    expect(asking).toContain("“Quince paste”, with the tag #recipes. What you typed is not saved yet.");
    const asked = await add({ title: "Another", note: "New note.", tags: "autumn" });
    expect(asked.status).toBe(409);
    expect(fieldValue(await asked.text(), "note")).toBe("New note.");
    expect(await all()).toHaveLength(1);

    expect((await add({ title: "Another", note: "New note.", tags: "autumn", choice: "merge" })).status).toBe(
      303,
    );
    const [merged] = await all();
    expect(merged).toMatchObject({
      title: "Quince paste",
      description: "Half the sugar.\n\nNew note.\n#recipes #autumn",
    });

    expect((await add({ choice: "both" })).status).toBe(303);
    expect(await all()).toHaveLength(2);
  });

  test("fills in what a bookmarklet or a phone's share sheet sends, and writes nothing", async () => {
    const { all, page, request } = await start();
    const html = await page("/library/new?title=A%20%26%20B&text=see%20https%3A%2F%2Fx.example%2Fa%20now");
    expect(fieldValue(html, "url")).toBe("https://x.example/a");
    expect(fieldValue(html, "title")).toBe("A & B");
    expect(fieldValue(html, "note")).toBe("see  now");
    const shared = [
      ["See (https://example.org/a) now", "https://example.org/a"],
      ["See https://example.org/a.", "https://example.org/a"],
      ["<https://example.org/a>", "https://example.org/a"],
      ["[A page](https://example.org/a)", "https://example.org/a"],
      ...[
        [
          "https://en.wikipedia.org/wiki/Rye_(disambiguation)",
          "https://en.wikipedia.org/wiki/Rye_(disambiguation)",
        ],
      ],
    ] as const;
    for (const [text, url] of shared)
      for (const member of ["text", "url", "title"]) {
        const form = await page(`/library/new?${new URLSearchParams({ [member]: text })}`);
        expect([text, member, fieldValue(form, "url")]).toEqual([text, member, url]);
      }
    const short = await request("/add?url=https%3A%2F%2Fx.example%2F%3Fa%26b&title=T");
    expect(short.status).toBe(303);
    expect(short.headers.get("location")).toBe(
      `/library/new?${new URLSearchParams({ url: "https://x.example/?a&b", title: "T" })}`,
    );
    expect(await all()).toEqual([]);
  });

  test("edits a link, and an edit that changes nothing makes no version", async () => {
    const { add, all, page, request } = await start();
    await add({ note: "A note with #inline.", tags: "recipes, 2024" });
    const [before] = await all();
    const path = `/library/${before?.id}/edit`;
    const html = await page(path);
    const form = {
      url: fieldValue(html, "url") ?? "",
      title: fieldValue(html, "title") ?? "",
      note: fieldValue(html, "note") ?? "",
      tags: fieldValue(html, "tags") ?? "",
      version: fieldValue(html, "version") ?? "",
    };
    expect(form.tags).toBe("inline, recipes, 2024");
    const etag = async () => (await request(`/bookmarks/${before?.id}`)).headers.get("etag");
    const tag = await etag();
    expect((await submit(request, path, form)).status).toBe(303);
    expect(await etag()).toBe(tag);
    expect((await submit(request, path, { ...form, title: "Changed", tags: "2024" })).status).toBe(303);
    expect((await all())[0]).toMatchObject({ title: "Changed", description: "A note with inline.\n#2024" });
  });

  test("lists what filters alone find by day, the newest first, and what words find, the best first", async () => {
    const { add, page } = await start();
    for (const title of ["Older", "Newer"])
      await add({ url: `https://x.example/${title}`, title, tags: "maps" });
    const positions = (html: string) => [html.indexOf(">Newer<"), html.indexOf(">Older<")];
    const tagged = await page("/library?q=%23maps");
    expect(tagged).toContain("Today</time>");
    expect(tagged).toContain('aria-current="true">Newest first</a>');
    expect(tagged).toContain('href="/library?q=%23maps&amp;sort=oldest">Oldest first</a>');
    const [newer = 0, older = 0] = positions(tagged);
    expect(newer).toBeLessThan(older);
    const reversed = await page("/library?q=%23maps&sort=oldest");
    expect(reversed).toContain('href="/library?q=%23maps">Newest first</a>');
    const [last = 0, first = 0] = positions(reversed);
    expect(first).toBeLessThan(last);
    const words = await page("/library?q=sugar+%23maps");
    expect(words).toContain('aria-current="true">Best first</a>');
    expect(words).not.toContain("Today</time>");
  });

  test("every change of an entry returns to the previous search or page, at the entry", async () => {
    const { add, request, page } = await start();
    for (const n of [1, 2, 3]) await add({ url: `https://x.example/${n}`, title: `Quince ${n}` });
    const view = "/library?q=quince&sort=newest&view=compact";
    const found = (pattern: RegExp, html: string) => pattern.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const linkOf = (html: string, path: string) => found(new RegExp(`href="(${path}(?:\\?[^"]*)?)"`), html);
    const cancelOf = (html: string) => found(/class="button plain" href="([^"]+)"/, html);
    const list = await page(view);
    const editing = await page(linkOf(list, "/library/2/edit"));
    expect(fieldValue(editing, "back")).toBe(view);
    expect(cancelOf(editing)).toBe(`${view}#link-2`);
    const form = { ...NEW, title: "Quince 2b", version: "1", back: fieldValue(editing, "back") ?? "" };
    const to = (response: Response) => response.headers.get("location");
    expect(to(await submit(request, "/library/2/edit", form))).toBe(`${view}#link-2`);
    const conflict = await submit(request, "/library/2/edit", { ...form, title: "Quince 2c" });
    expect(fieldValue(await conflict.text(), "back")).toBe(view);
    expect(list).toContain('id="link-2"');

    // What was removed is no longer there: the next entry is.
    const next = found(/formaction="\/library\/2\/remove" name="next" value="(\d+)"/, list);
    expect(next).toBe("1");
    const removed = await submit(request, "/library/2/remove", {
      act: "",
      next,
      back: fieldValue(list, "back") ?? "",
    });
    expect(to(removed)).toBe(`${view}#link-1`);
    const cookie = removed.headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
    const noticed = await (await request(view, { headers: { cookie } })).text();
    const undo = /action="(\/library\/undo\/[^"]+)"/.exec(noticed)?.[1] ?? "";
    expect(fieldValue(noticed, "back")).toBe(view);
    expect(to(await submit(request, undo, { back: view }))).toBe(`${view}#link-2`);

    expect(fieldValue(await page(linkOf(list, "/library/new")), "back")).toBe(view);
    expect(linkOf(await page("/library"), "/library/2/edit")).toBe("/library/2/edit");
    const elsewhere = [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "/library/../keys",
      "/librarys",
    ];
    for (const [index, back] of elsewhere.entries()) {
      const fields = { ...NEW, title: back, version: String(index + 1), back };
      expect(to(await submit(request, "/library/1/edit", fields))).toBe("/library#link-1");
    }
  });

  test("two people edit one link: no text is lost", async () => {
    const { add, all, page, request } = await start();
    await add();
    const [bookmark] = await all();
    const path = `/library/${bookmark?.id}/edit`;
    const version = fieldValue(await page(path), "version") ?? "";
    await submit(request, path, { ...NEW, title: "Theirs", version });
    const late = await submit(request, path, { ...NEW, title: "Mine", note: "My words", version });
    expect(late.status).toBe(412);
    const conflict = await late.text();
    expect(conflict).toContain("This link has changed since you opened it");
    expect(conflict).toContain("Theirs");
    expect(fieldValue(conflict, "title")).toBe("Mine");
    expect(fieldValue(conflict, "note")).toBe("My words");
    expect((await all())[0]?.title).toBe("Theirs");

    const fresh = fieldValue(conflict, "version") ?? "";
    const saved = await submit(request, path, { ...NEW, title: "Mine", note: "My words", version: fresh });
    expect(saved.status).toBe(303);
    expect((await all())[0]).toMatchObject({ title: "Mine", description: "My words" });
  });

  test("the typed values for a link that was removed meanwhile can be saved as a new one", async () => {
    const { add, all, request } = await start();
    await add();
    const [bookmark] = await all();
    await request(`/bookmarks/${bookmark?.id}`, { method: "DELETE" });
    const late = await submit(request, `/library/${bookmark?.id}/edit`, {
      ...NEW,
      note: "My words",
      version: "1",
    });
    expect(late.status).toBe(404);
    const html = await late.text();
    expect(html).toContain("This link was removed");
    expect(fieldValue(html, "note")).toBe("My words");
    expect(html).toContain('action="/library/new"');
  });

  test("shows the filters of a search as links that remove them, and its tags as links that narrow it", async () => {
    const { add, page } = await start();
    await add({ tags: "recipes, autumn" });
    const html = await page(`/library?q=${encodeURIComponent("paste #recipes -city after:2020-01-01")}`);
    const without = (q: string) => `href="/library?q=${new URLSearchParams({ q }).toString().slice(2)}"`;
    expect(html).toContain("<bdi>#recipes</bdi>");
    expect(html).toContain(without("paste -city after:2020-01-01"));
    expect(html).toContain("<bdi>not city</bdi>");
    expect(html).toContain(without("paste #recipes after:2020-01-01"));
    expect(html).toContain("<bdi>saved since Jan\u00a01,\u00a02020</bdi>");
    expect(html).toContain(without("paste #recipes -city after:2020-01-01 #autumn"));
    expect(await page("/library?q=(paste+OR+x)+%23recipes")).toContain('<div id="filters"></div>');
  });

  test("a search without results suggests similar words and tags that have some", async () => {
    const { add, page } = await start();
    await add({ title: "Cyanotype for beginners", tags: "garden, C#" });
    await add({ url: "https://b.example/", title: "Cyanide" });
    const similar = async (q: string) =>
      /Did you mean <a href="([^"]*)"[^>]*>([^<]*)/
        .exec(await page(`/library?q=${encodeURIComponent(q)}`))
        ?.slice(1);
    expect(await similar("cyanotpye")).toEqual(["/library?q=cyanotype", "cyanotype"]);
    expect(await similar("beginers cyanotpye #gardne")).toEqual([
      "/library?q=beginners+cyanotype+%23garden",
      "beginners cyanotype #garden",
    ]);
    // Where the filters leave nothing, the word alone is offered.
    expect(await similar("cyanotpye after:2999-01-01")).toEqual(["/library?q=cyanotype", "cyanotype"]);
    // The whole search is shown: its other words are not dropped.
    expect(await similar("cyanotpye beginners")).toEqual([
      "/library?q=cyanotype+beginners",
      "cyanotype beginners",
    ]);
    expect(await similar("xylophone")).toBeUndefined();
    const html = await page("/library?q=cyanide+beginners+%23garden");
    expect(html).toContain("Search for any of the words");
    expect(await page("/library?q=cyanotype+before%3A1990-01-01")).toContain("Search without the filter<");
    // Phrases and beginnings of words are no filters: they stay.
    for (const words of ['cyanotype "for beginners"', "cyan* beginners"]) {
      const html = await page(`/library?${new URLSearchParams({ q: `${words} before:1990-01-01` })}`);
      const [, to = ""] = /<a href="([^"]*)"[^>]*>Search without the filter</.exec(html) ?? [];
      expect(to).toBe(`/library?${new URLSearchParams({ q: words })}`);
    }
    expect(await page("/library?q=cyanxyzw")).toContain('href="/library?q=cyan*"');
  });

  test("a search for beginnings of words is offered where they find nothing as words", async () => {
    const { add, page } = await start();
    await add({ title: "Harbor cranes of Rotterdam", tags: "garden" });
    await add({ url: "https://b.example/", title: "Rotterdam in the rain" });
    const offered = async (q: string) =>
      /<a href="([^"]*)">(Search for words that begin with [^<]*)<\/a> (?:<span class="host">([^<]*))?/
        .exec(await page(`/library?q=${encodeURIComponent(q)}`))
        ?.slice(1);
    expect(await offered("rott cran")).toEqual([
      "/library?q=rott*+cran*",
      "Search for words that begin with “rott” and “cran”",
      "1 link",
    ]);
    // The last word counts as a beginning by itself, unless a blank follows it.
    expect(await offered("rotte")).toBeUndefined();
    expect(await offered("rotte ")).toEqual([
      "/library?q=rotte*",
      "Search for words that begin with “rotte”",
      "2 links",
    ]);
    expect((await offered("of rott -rain #garden"))?.[0]).toBe("/library?q=of+rott*+-rain+%23garden");
    // A shorter beginning, where the word has no continuation.
    expect((await offered("rottexyz"))?.[0]).toBe("/library?q=rotte*");
    for (const q of ["xylo phone", "of", '"rott cran"'])
      expect([q, await offered(q)]).toEqual([q, undefined]);
  });

  test("shows older pages by cursor, each link once", async () => {
    const { page, request } = await start();
    for (let n = 1; n <= 120; n++)
      await request("/bookmarks/", {
        method: "POST",
        json: { title: `Link ${n}.`, url: `https://x.example/${n}` },
      });
    const seen: string[] = [];
    let path: string | undefined = "/library";
    while (path !== undefined) {
      const html: string = await page(path);
      // Long lists have a shorter way.
      expect(html).toMatch(/<nav class="pages".*<a href="\/library\/months">By month<\/a>/);
      seen.push(...[...html.matchAll(/>(Link \d+\.)</g)].map(([, title = ""]) => title));
      path = /href="([^"]*)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    }
    const all = [...new Set(seen)];
    expect(all).toHaveLength(120);
    expect(all[0]).toBe("Link 120.");
    const stale = await request("/library?cursor=nonsense");
    expect([stale.status, stale.headers.get("location")]).toEqual([303, "/library"]);
  });

  test("an empty library shows the first steps; readers see no controls for writing", async () => {
    const { page } = await start();
    expect(await page("/library")).toContain('href="/library/import"');
    const { page: readOnly } = await start({ BOOKMARKS_ACCESS: "read" });
    const html = await readOnly("/library");
    expect(html).not.toContain("/library/new");
    expect(html).toContain("Nothing here yet.");
  });

  test("a visitor's list has no filters of the owner: untagged, read later, archived", async () => {
    const { request, database } = await start({ BOOKMARKS_ACCESS: "read" });
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    await submit(request, "/library/new", NEW, { cookie });
    const own = await (await withHeaders(request, { cookie })("/library")).text();
    const visited = await (await request("/library")).text();
    for (const filter of ["tag%3Anone", "show=unread", "show=archived"]) {
      expect(own).toContain(filter);
      expect(visited).not.toContain(filter);
    }
    expect(visited).toContain(">Quince paste</a>");
    expect(await (await request("/library?show=archived")).text()).toContain("0 archived");
  });

  test("counts the links of each filter, the untagged ones as their search does", async () => {
    const { add, page, database } = await start();
    const states = { unread: false, archived: false, shared: false };
    const link = { title: "Counted", description: "", createdAt: new Date(), states };
    for (let n = 0; n < 3; n++) await add({ url: `https://x.example/${n}`, tags: n === 0 ? "maps" : "" });
    await add({ url: "https://x.example/later", unread: "1", tags: "maps" });
    await add({ url: "https://x.example/old" });
    await changeStates(database, [5], { archived: true }, new Date());
    const counts = async () => {
      const tabs = /<nav class="tabs".*?<span class="narrow"/s.exec(await page("/library"))?.[0] ?? "";
      return [...tabs.matchAll(/>([A-Z][a-z ]+)<span class="count"> ([^<]*)</g)].map(([, ...tab]) => tab);
    };
    expect(await counts()).toEqual([
      ["All", "4"],
      ["Read later", "1"],
      ["Untagged", "3"],
      ["Archived", "1"],
    ]);
    await writeBookmarks(database, new Date(), (writer) =>
      writer.insertMany(
        Array.from({ length: 1_000 }, (_, n) => ({ ...link, url: `https://counted.example/${n}` })),
      ),
    );
    expect((await counts()).map(([, count]) => count)).toEqual(["1,004", "1", "1,000+", "1"]);
  });

  test("a list without links offers neither to select nor to look at them another way", async () => {
    const { add, page } = await start();
    await add();
    for (const path of ["/library?show=unread", "/library?show=archived&select=1&view=compact"]) {
      const html = await page(path);
      expect(html).toContain('>All<span class="count"> 1</span></a>');
      expect(html).not.toMatch(/>(?:Select|Done|Compact|List)<\/a>/);
    }
    expect(await page("/library?q=quince&select=1")).toContain(">Done</a>");
    expect(await page("/library")).toMatch(/>Compact<.*>Select</s);
  });

  test("a browser keeps to the density that it asked for last", async () => {
    const { add, request } = await start();
    await add();
    let cookie = "";
    const visit = async (path: string) => {
      const response = await request(path, { headers: cookie === "" ? {} : { cookie } });
      const [set] = response.headers.getSetCookie();
      cookie = set?.split(";")[0] ?? cookie;
      const html = await response.text();
      return [
        html.includes('class="bookmarks compact'),
        /<nav class="segments".*?<\/nav>/s.exec(html)?.[0].match(/href="[^"]+"(?= aria-current)/)?.[0],
        set,
      ];
    };
    const set = (value: string) =>
      expect.stringMatching(new RegExp(`^\\w+=${value}; Max-Age=34560000; Path=/library;`));
    const [none, compact, full] = [undefined, "/library?view=compact", "/library?view=full"];
    const [isCompact, isFull] = [
      [true, `href="${compact}"`],
      [false, `href="${full}"`],
    ];
    expect(await visit("/library")).toEqual([...isFull, none]);
    expect(await visit(compact)).toEqual([...isCompact, set("compact")]);
    expect(await visit(compact)).toEqual([...isCompact, none]);
    expect(await visit("/library")).toEqual([...isCompact, none]);
    expect((await visit("/library?q=quince"))[0]).toBeTrue();
    expect((await visit("/library?view=other"))[0]).toBeTrue();
    expect(await visit(full)).toEqual([...isFull, set("full")]);
    expect(await visit("/library")).toEqual([...isFull, none]);
  });

  test("a missing page of the library has its frame, the search and ways on", async () => {
    const { add, request, database } = await start({ BOOKMARKS_ACCESS: "read" });
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    await submit(request, "/library/new", NEW, { cookie });
    const own = withHeaders(request, { cookie, accept: "text/html" });
    for (const path of [
      "/library/999999",
      "/library/nothing-here",
      "/library/1/nothing",
      "/library/999999/edit",
    ]) {
      const response = await own(path);
      const html = await response.text();
      expect([path, response.status]).toEqual([path, 404]);
      expect(html).toContain('class="leaf wide with-bar"');
      expect(html).toMatch(/\/library\.css"/);
      expect(html).toContain('aria-label="Find in the library"');
      expect(html).toContain('<a href="/library">All links</a>');
      expect(html).toContain('<a href="/library/removed">Removed</a>');
      expect(html).toContain('content="noindex"');
    }
    const visitor = await (await request("/library/1/nothing", { headers: { accept: "text/html" } })).text();
    expect(visitor).toContain('aria-label="Find in the library"');
    expect(visitor).not.toContain("/library/removed");
    expect((await add()).status).toBe(401);
  });

  test("a missing page below a private library says nothing about it to a stranger", async () => {
    const { request } = await start({ BOOKMARKS_ACCESS: "private" });
    const response = await request("/library/1/nothing", { headers: { accept: "text/html" } });
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("Find in the library");
  });

  test("a private library asks for a sign-in, and keeps the typed values", async () => {
    const { add, request, database } = await start({ BOOKMARKS_ACCESS: "private" });
    const list = await request("/library?view=compact");
    expect([list.status, list.headers.get("location")]).toEqual([
      303,
      `/sign-in?${new URLSearchParams({ next: "/library?view=compact" })}`,
    ]);
    const refused = await add({ note: "My words" });
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain("My words");
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    expect((await withHeaders(request, { cookie })("/library")).status).toBe(200);
    expect((await submit(request, "/library/new", NEW, { cookie })).status).toBe(303);
  });

  for (const access of ["open", "read", "private"])
    test(`a page of another site can send none of its forms (${access})`, async () => {
      const { request, database } = await start({ BOOKMARKS_ACCESS: access });
      const cookie = await makeSession(database, await makeAccount(database, "ada"));
      const send = withHeaders(request, { cookie });
      const own = await submit(send, "/library/new", NEW);
      expect(own.status).toBe(303);
      const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
      for (const path of ["/library/new", "/library/1/edit"])
        for (const caller of [request, send]) {
          const refused = await submit(
            caller,
            path,
            { ...NEW, title: "Evil", choice: "both", version: "1" },
            foreign,
          );
          expect([path, refused.status]).toEqual([path, 403]);
        }
      expect(await (await send("/library")).text()).not.toContain("Evil");
    });

  test("hostile texts are shown as texts", async () => {
    const { add, page, all } = await start();
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>' & &amp; {{7*7}}`;
    await add({ title: hostile, note: `${hostile}\n</textarea>${hostile}`, tags: `${hostile}, <b>` });
    const [bookmark] = await all();
    for (const path of [
      "/library",
      `/library/${bookmark?.id}`,
      `/library/${bookmark?.id}/edit`,
      "/library?view=compact",
      "/library?select=1",
    ]) {
      const html = await page(path);
      expect(html).not.toContain("<script>alert");
      expect(html).not.toContain("<img");
      expect(html).toContain("&lt;script>alert(1)");
    }
    const edit = await page(`/library/${bookmark?.id}/edit`);
    expect(fieldValue(edit, "title")).toBe(hostile);
    expect(fieldValue(edit, "note")).toBe(`${hostile}\n</textarea>${hostile}`);
  });
});

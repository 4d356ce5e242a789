import { expect, test } from "bun:test";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { describeApp } from "../../support/server/contract.ts";

/** From January 1, 2026 on. */
const clock = new StoppedClock();

describeApp("Dates in the library", (service) => {
  const start = async () => {
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "open" }, clock);
    const save = (title: string, date: string) => {
      const link = {
        title,
        url: `https://${title.toLowerCase().replaceAll(" ", "-")}.example/`,
        description: "",
      };
      return database.write((sql) => insertBookmark(sql, link, undefined, new Date(date)));
    };
    const setTimeZone = async (time_zone: string) => {
      const owner = withToken(request, await makeToken(database, await makeAccount(database, "ada")));
      expect((await owner("/api/site/", { method: "PATCH", json: { time_zone } })).status).toBe(200);
    };
    const share = async (q: string) => {
      const owner = withToken(request, await makeToken(database, await makeAccount(database, "bea")));
      const made = await owner("/api/shares/", { method: "POST", json: { q, title: "Shared" } });
      return new URL(((await made.json()) as { url: string }).url).pathname;
    };
    return { save, setTimeZone, share, request, page: async (path: string) => (await request(path)).text() };
  };

  test("a search that says a date shows what was saved then, or offers it beside links that have its words", async () => {
    const { save, page } = await start();
    await save("Paper map", "2025-04-30T23:59:59.999Z");
    await save("Another map", "2025-06-01T00:00:00Z");
    await save("Old letter", "2024-03-31T12:00:00Z");
    await save("March 2024", "2025-12-31T12:00:00Z");
    const spring = await page("/library?q=map+last+spring");
    expect(spring).toContain("1 link for “map”</b>");
    expect(spring).toContain("saved since Mar\u00a01,\u00a02025");
    expect(spring).toContain("Paper <mark>map</mark></a>");
    expect(spring).not.toContain("Another");
    // The filter can be taken out, and the words can be meant.
    expect(spring).toContain("Remove the filter");
    expect(spring).toContain(
      '<a href="/library?q=map+last+spring&amp;words=1">Search for the words “map last spring”</a>',
    );
    const words = await page("/library?q=map+last+spring&words=1");
    expect(words).toContain(
      '<div class="stack"><p><a href="/library?q=after%3A2025-03-01+before%3A2025-06-01+map">Saved from Mar\u00a01,\u00a02025 to May\u00a031,\u00a02025: 1 link</a>',
    );
    const march = await page("/library?q=March+2024");
    expect(march).toContain('<a href="/library?q=on%3A2024-03">Saved in March 2024: 1 link</a>');
    expect(march).toContain("<mark>March</mark> <mark>2024</mark>");
    // Nothing was saved on that day, but in that month.
    const month = await page("/library?q=let+2024-03-30");
    expect(month).toContain("1 link for “let”</b>");
    expect(month).toContain("saved in March 2024");
    expect(month).toMatch(/Old <mark>let(?:ter)?<\/mark>/);
    for (const q of ["yesterday", "December+31", "31+Dec+2025"]) {
      const day = await page(`/library?q=${q}`);
      expect(day).toContain("1 link</b>");
      expect(day).toContain("saved on Dec\u00a031,\u00a02025");
      expect(day).toContain(">March 2024</a>");
    }
    // Nothing was saved then, or nothing says a date.
    for (const q of ["map+last+week", "map", "march", "%22March+2024%22"])
      expect(await page(`/library?q=${q}`)).not.toContain(">Saved ");
    // There is no room for a date.
    const long = `${"x".repeat(985)} yesterday`;
    expect(await page(`/library?q=${encodeURIComponent(long)}`)).toContain("Nothing found");
  });

  test("the months have the numbers of the links that the search for them finds", async () => {
    const { save, page } = await start();
    expect(await page("/library/months")).toContain("No links yet");
    for (const date of ["2024-02-29T23:59:59.999Z", "2024-03-01T00:00:00Z", "2024-03-31T23:59:59Z"])
      await save(`Link of ${Date.parse(date)}`, date);
    const months = await page("/library/months");
    expect(months).toMatch(
      /2024.*\?q=on%3A2024-03">March<\/a> <span class="count">2<.*\?q=on%3A2024-02">February<\/a> <span class="count">1</s,
    );
    expect(await page("/library?q=on:2024-03")).toContain(">2 links<");
  });

  test("days, months and years of the pages are those of the site, and those of the API are of UTC", async () => {
    const { save, setTimeZone, request, page } = await start();
    await save("Map before", "2024-02-29T22:59:59.999Z");
    await save("Map first", "2024-02-29T23:00:00Z");
    // Summer time has begun.
    await save("Map last", "2024-03-31T21:59:59.999Z");
    await save("Map after", "2024-03-31T22:00:00Z");
    await setTimeZone("Europe/Berlin");
    const titles = async (q: string, sort = "oldest") => {
      const html = await page(`/library?${new URLSearchParams({ q, sort })}`);
      return [...html.matchAll(/<h3><a[^>]*>(?:<mark>)?Map(?:<\/mark>)? (\w+)/g)].map(([, title]) => title);
    };
    expect(await titles("on:2024-03")).toEqual(["first", "last"]);
    expect(await titles("map -on:2024-03")).toEqual(["before", "after"]);
    expect(await titles("NOT before:2024-03 -after:2024-04")).toEqual(["first", "last"]);
    expect(await titles("after:2024-04-01")).toEqual(["after"]);
    expect(await titles("(on:2024-03 (map)) map")).toEqual(["first", "last"]);
    // By relevance, links with half a word follow.
    for (const q of ["on:2024-03 map", "on:2024-03 ma", "(on:2024-03 map) ma"])
      expect([q, await titles(q, "relevance")]).toEqual([q, ["last", "first"]]);
    for (const q of ["map -on:2024-03", "-on:2024-03 ma", "-on:2024-03"])
      expect([q, await titles(q, "relevance")]).toEqual([q, ["after", "before"]]);
    // Among alternatives, the words of the index count: whole days of UTC.
    expect(await titles("nosuch OR on:2024-03")).toEqual(["last", "after"]);
    const march = await page("/library?q=on:2024-03");
    expect(march).toContain('href="/library?q=on%3A2024-03-31"><time datetime="2024-03-31">');
    expect(await page("/library/months")).toMatch(
      />April<\/a> <span class="count">1<.*>March<\/a> <span class="count">2</s,
    );
    const found = (await (await request("/bookmarks/?q=on:2024-03")).json()) as { title: string }[];
    expect(found.map(({ title }) => title).toSorted()).toEqual(["Map after", "Map last"]);
  });

  test("a feed of a search and a shared list mean the days of the site, too", async () => {
    const { save, setTimeZone, share, page } = await start();
    await save("Map before", "2024-03-31T21:59:59Z");
    await save("Map of April 1", "2024-03-31T22:00:00Z");
    const shared = await share("map on:2024-04-01");
    for (const path of ["/library.atom?q=map+on:2024-04-01", shared, `${shared}/feed.json`])
      expect(await page(path)).not.toContain("Map of");
    await setTimeZone("Europe/Berlin");
    for (const path of ["/library.atom?q=map+on:2024-04-01", shared, `${shared}/feed.json`]) {
      const found = await page(path);
      expect(found).toContain("Map of April 1");
      expect(found).not.toContain("Map before");
    }
  });
});

import { expect, test } from "bun:test";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { SYSTEM_CLOCK } from "../../../src/clock.ts";
import { en } from "../../../src/web/messages/en.ts";
import { makeAccount } from "../../support/records/accounts.ts";
import { makePagePicture } from "../../support/records/page-pictures.ts";
import { describeApp } from "../../support/server/contract.ts";

const DAY = 24 * 60 * 60 * 1000;
/** A Wednesday. */
const NOW = Date.parse("2026-11-25T12:00:00Z");

describeApp("The pictures of pages in the library", (service) => {
  const start = async (days: readonly number[]) => {
    const clock = { ...SYSTEM_CLOCK, now: () => new Date(NOW) };
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "open" }, clock);
    await makeAccount(database, "ada");
    for (const [index, daysAgo] of days.entries()) {
      const link = { title: `Link ${index}`, url: `https://${index}.example/`, description: "#a #b #c" };
      await database.write((sql) => insertBookmark(sql, link, undefined, new Date(NOW - daysAgo * DAY)));
    }
    const html = async (path: string) => (await request(path)).text();
    return { request, database, html };
  };
  const pictures = (html: string) => html.split('class="page-picture"').length - 1;

  test("the view of pictures groups cards by week, 24 a page", async () => {
    // Two of this week, which began on November 23, one of the last, two of one before, two of another year.
    const { html, database } = await start([0, 2, 3, 37, 42, 326, 329]);
    await makePagePicture(database, "https://1.example/");
    const page = (await html("/library?view=pictures")).replaceAll(/[\u00a0\u2009]/g, " ");
    const headings = [...page.matchAll(/<a href="([^"]*)"><time datetime="[\d-]+">([^<]*)</g)].map((one) =>
      one.slice(1),
    );
    const week = (from: string, to: string) => `/library?q=after%3A${from}+before%3A${to}`;
    expect(headings).toEqual([
      [week("2026-11-23", "2026-11-30"), en.library.thisWeek],
      [week("2026-11-16", "2026-11-23"), en.library.lastWeek],
      [week("2026-10-19", "2026-10-26"), "October 19 – 25"],
      [week("2026-10-12", "2026-10-19"), "October 12 – 18"],
      [week("2025-12-29", "2026-01-05"), "December 29, 2025 – January 4, 2026"],
    ]);
    expect(page.split('<ol class="bookmarks cards">')).toHaveLength(6);
    expect(page).toContain("/cards.css");
    // Whoever has not signed in sees what the server has fetched as anyone would.
    await makePagePicture(database, "https://2.example/", { isPublic: false });
    const [shown, ...others] =
      (await html("/library?view=pictures")).match(/<img class="page-picture"[^>]*>/g) ?? [];
    expect(shown).toMatch(/width="480" height="252" alt\/? loading="lazy"/);
    expect(others).toEqual([]);
    // What follows is the title, and no picture is in a card without one.
    const found = await html("/library?q=%23a&sort=relevance&view=pictures");
    expect([found.includes('class="bookmarks cards dated"'), pictures(found)]).toEqual([true, 1]);
  });

  test("a page of pictures has 24 links, also of a search", async () => {
    const { html } = await start(Array.from({ length: 25 }, () => 0));
    for (const path of ["/library?view=pictures", "/library?q=%23a&view=pictures"]) {
      const first = await html(path);
      expect(first.split('<li id="link-').length - 1).toBe(24);
      const next = /<a[^>]*href="([^"]*cursor=[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
      expect((await html(next)).split('<li id="link-').length - 1).toBe(1);
    }
  });

  test("the first link to read next has its picture, and what one comes for as a filled button", async () => {
    const { database, html } = await start([1, 0]);
    await changeStates(database, [1, 2], { unread: true }, new Date(NOW));
    await makePagePicture(database, "https://1.example/");
    await makePagePicture(database, "https://0.example/", { isPublic: false });
    const page = await html("/library/later");
    expect(pictures(page)).toBe(1);
    const [first = "", second = ""] = page.split('<li id="link-').slice(1);
    const filled = (item: string) => /class="button"[^>]*>([^<]*)</.exec(item)?.[1];
    expect([first.includes("page-picture"), filled(first), filled(second)]).toEqual([
      true,
      en.library.next.open,
      undefined,
    ]);
  });

  test("pictures stand beside rows until a browser hides them; compact rows have none", async () => {
    const { request, database } = await start([0, 1]);
    await makePagePicture(database, "https://0.example/");
    let cookie = "";
    const visit = async (path: string) => {
      const response = await request(path, { headers: cookie === "" ? {} : { cookie } });
      const sets = response.headers.getSetCookie();
      cookie = [cookie, ...sets.map((set) => set.split(";", 1)[0] ?? "")].filter(Boolean).join("; ");
      const page = await response.text();
      return [pictures(page), /href="\/library\?[^"]*pictures=(\w+)"/.exec(page)?.[1], sets.length];
    };
    expect(await visit("/library")).toEqual([1, "off", 0]);
    expect(await visit("/library?q=%23a")).toEqual([1, "off", 0]);
    expect(await visit("/library?pictures=other")).toEqual([1, "off", 0]);
    expect(await visit("/library?pictures=off")).toEqual([0, "on", 1]);
    expect(await visit("/library?pictures=off")).toEqual([0, "on", 0]);
    expect(await visit("/library?q=%23a")).toEqual([0, "on", 0]);
    // Cards are there for their pictures.
    expect(await visit("/library?view=pictures")).toEqual([1, undefined, 1]);
    cookie = "";
    expect(await visit("/library?view=compact")).toEqual([0, undefined, 1]);
  });
});

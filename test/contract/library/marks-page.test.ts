import { expect, test } from "bun:test";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { makeMark } from "../../support/records/marks.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";

const DAY = 24 * 60 * 60 * 1_000;

describeApp("The page of marks", (service) => {
  async function start() {
    const app: TestApp = await service.startApp({ FETCH_PAGES: "off" }, new StoppedClock());
    const { database, request } = app;
    const account = await makeAccount(database, "ada");
    const send = withHeaders(request, { cookie: await makeSession(database, account) });
    const save = async (title: string) => {
      const json = { title, url: "https://www.example.com/page", description: "" };
      const response = await send("/bookmarks/", { method: "POST", json });
      return ((await response.json()) as { id: number }).id;
    };
    const page = async (path = "/library/marks") => (await send(path)).text();
    return { database, request, send, save, page };
  }

  test("has all marks by day and by link, in the order of its text, with the ways on", async () => {
    const { database, save, page } = await start();
    const now = database.clock.now().getTime();
    const kept = await save("The river");
    await makeCopy(database, kept, "It begins in the hills and flows to the sea.");
    const other = await save("A <b>page</b>");
    const make = (id: number, quote: string, position: number, note: string, days: number) =>
      makeMark(database, id, quote, { position, note, at: new Date(now - days * DAY) });
    const old = await make(other, "Two\nlines <i>", 0, "", 400);
    const second = await make(kept, "flows to the sea", 30, "", 0);
    const first = await make(kept, "in the hills", 10, "Which?", 0);
    const html = await page();
    const places = [
      ">Today<",
      "The river",
      "in the hills",
      "Which?",
      "flows to the sea",
      "A &lt;b>",
      "&lt;i>",
    ].map((text) => html.indexOf(text));
    expect(places).toEqual(places.toSorted((one, another) => one - another));
    expect(places).not.toContain(-1);
    expect(html).toContain("3 marks");
    expect(html).toContain('<p class="host">example.com</p>');
    expect(html).toContain(`href="/library/${kept}/read#mark-${first.id}"`);
    // Without a copy, there is no text to show it in.
    expect(html).not.toContain(`/library/${other}/read`);
    for (const { id, bookmarkId } of [old, first, second]) {
      expect(html).toContain(`action="/library/${bookmarkId}/marks/${id}/quote"`);
      expect(html).toContain(`href="/library/${bookmarkId}/marks/${id}?back=`);
    }
    expect(html).toContain('href="/api/marks/?format=markdown"');
    expect(await page("/library")).toContain('href="/library/marks"');
    expect(await page("/find?q=>marks")).toContain('href="/library/marks"');
  });

  test("has the marks that a search finds, with the words in them, and as a file", async () => {
    const { database, save, page } = await start();
    const id = await save("The river");
    await makeMark(database, id, "flows to the sea", { note: "By way of Ulm" });
    await makeMark(database, id, "in the hills");
    const html = await page("/library/marks?q=ulm");
    expect(html).toContain("By way of <mark>Ulm</mark>");
    expect(html).toContain("1 mark<");
    expect(html).not.toContain("in the hills");
    // The last word begins one, in the file, too.
    const begun = await page("/library/marks?q=hill");
    expect(begun).toContain("in the <mark>hills</mark>");
    const [, file = ""] = /href="(\/api\/marks\/[^"]+)"/.exec(begun) ?? [];
    expect(await page(file.replaceAll("&amp;", "&"))).toContain("> in the hills\n");
    expect(await page("/library/marks?q=ulm%20nowhere")).toContain("No mark has these words.");
    expect(await page("/library/marks?q=%22")).toMatch(/role="alert"><p>This quotation mark is not closed/);
  });

  test("says how to make the first mark", async () => {
    const { page } = await start();
    const html = await page();
    expect(html).toContain("Nothing is marked yet");
    expect(html).not.toContain("format=markdown");
  });

  test("has fifty marks, and a way to the older ones", async () => {
    const { database, save, page, send } = await start();
    const id = await save("The river");
    for (let n = 1; n <= 51; n++) await makeMark(database, id, `quote-${n}.`, { at: new Date(n * DAY) });
    const html = await page();
    expect([html.includes("quote-2."), html.includes("quote-1.")]).toEqual([true, false]);
    const [, next = ""] = /href="([^"]+)" rel="next"/.exec(html) ?? [];
    const older = await page(next.replaceAll("&amp;", "&"));
    expect([older.includes("quote-2."), older.includes("quote-1.")]).toEqual([false, true]);
    expect(older).toContain("51 marks");
    expect(older).not.toContain('rel="next"');
    expect(await page("/library/marks?q=river")).toContain("More than 50 marks");
    expect((await send("/library/marks?cursor=x")).headers.get("location")).toBe("/library/marks");
  });

  test("is for accounts, and so are the marks on the page of a link", async () => {
    const { database, save, page } = await start();
    const id = await save("The river");
    await makeMark(database, id, "in the hills", { note: "Which?" });
    const html = await page(`/library/${id}`);
    expect(html).toMatch(/id="marks".*in the hills.*Which\?.*\/quote"/s);
    const open = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    await makeAccount(open.database, "ada");
    expect((await open.request("/library/marks")).status).toBe(303);
    const json = { title: "The river", url: "https://example.com/", description: "" };
    const response = await open.request("/bookmarks/", { method: "POST", json });
    const { id: shared } = (await response.json()) as { id: number };
    await makeMark(open.database, shared, "in the hills");
    const anonymous = await (await open.request(`/library/${shared}`)).text();
    expect(anonymous).toContain("The river");
    expect(anonymous).not.toContain("in the hills");
    expect(await (await open.request("/library")).text()).not.toContain("/library/marks");
  });
});

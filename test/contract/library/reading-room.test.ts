import { expect, test } from "bun:test";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import type { Copy } from "../../../src/copies/copy.ts";
import { storeFailure } from "../../../src/copies/fetching/copy-failure.ts";
import type { PageToKeep } from "../../../src/copies/keep-copy.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { extractedPage, makeCopy } from "../../support/records/copies.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const PARAGRAPHS = ["One is the first.", "Two &amp; more of it.", "Three is the last."];
const TEXT = PARAGRAPHS.map((text) => `<p>${text}</p>`).join("");
const KEPT = ["readingSize", "readingWidth", "readingFace", "screenTheme"];

describeApp("The reading room", (service) => {
  const start = async () => {
    const { request, database } = await service.startApp({ FETCH_PAGES: "off" });
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const save = async (title: string, isUnread = false) => {
      const link = { title, url: `https://${title.toLowerCase()}.example/path`, description: "" };
      return database.write(async (sql) => {
        const { id } = await insertBookmark(sql, link, undefined, new Date());
        if (isUnread) await sql`update bookmarks set unread = ${true} where id = ${id}`;
        return id;
      });
    };
    const keep = async (
      id: number,
      more: Partial<Awaited<ReturnType<typeof extractedPage>>> = {},
      kept = {},
    ) =>
      makeCopy(database, id, "A page", {
        page: await extractedPage("A page", { html: TEXT, ...more }),
        ...kept,
      });
    const room = async (id: number, query = "") => (await send(`/library/${id}/read${query}`)).text();
    const post = (path: string, fields: Record<string, string>) => submit(send, path, fields);
    const stop = (id: number, copy: Copy, place: number, progress: number) =>
      post(`/library/${id}/read/place`, {
        ...{ copy: String(copy.id), place: String(place), progress: String(progress) },
      });
    const statesOf = async (id: number) => {
      const [row] = await database.read<Record<string, unknown>>`
        select unread, archived, not_before from bookmarks where id = ${id}`;
      return {
        ...{ unread: Boolean(row?.unread), archived: Boolean(row?.archived) },
        isPutOff: row?.not_before !== null,
      };
    };
    return { request, cookie, database, send, save, keep, room, post, stop, statesOf };
  };

  const PDF: Partial<PageToKeep> = {
    page: undefined,
    original: { bytes: Buffer.from("%PDF-1.4"), type: "application/pdf" },
  };
  const states: readonly {
    readonly name: string;
    readonly page?: Partial<Awaited<ReturnType<typeof extractedPage>>>;
    readonly kept?: Partial<PageToKeep>;
    readonly shows: readonly RegExp[];
    readonly hides?: readonly RegExp[];
  }[] = [
    {
      name: "an article: what it is, its text, and ways to the page",
      page: { title: "Of roses", words: 460, language: "de", html: `<p>Von Rosen &amp; <em>mehr</em></p>` },
      shows: [
        /<h1 lang="de" dir="ltr">Of roses<\/h1>/,
        /sent by your browser/,
        /460 words<\/span> <span>2 minutes/,
        /by Ada/,
        /href="https:\/\/example.com\/"/,
        /href="\/bookmarks\/\d+\/copies\/\d+\/original"/,
        /<div class="prose e-content" lang="de" dir="ltr"><p>Von Rosen &amp; <em>mehr<\/em><\/p><\/div>/,
        /data-place="\/library\/\d+\/read\/place"/,
      ],
      hides: [/not an article/, /Continue at/, /id="copies"/],
    },
    {
      name: "Arabic, from right to left",
      page: { language: "ar", direction: "rtl", html: "<p>كتاب</p>" },
      shows: [/<h1 lang="ar" dir="rtl">/, /e-content" lang="ar" dir="rtl"><p>كتاب/],
    },
    {
      name: "pictures, tables and code",
      page: {
        html: '<figure><img src="picture-1" alt="A rose" loading="lazy"><figcaption>Red</figcaption></figure><img src="picture-2" alt="None"><table><tr><td>1</td></tr></table><pre>let</pre>',
      },
      shows: [
        /<img src="\/bookmarks\/\d+\/copies\/\d+\/picture-1" alt="A rose" width="4" height="3" loading="lazy">/,
        /<figcaption>Red/,
        /<div class="table" role="group" tabindex="0" aria-label="Table"><table>.*<\/table><\/div>/,
        /<pre tabindex="0">let<\/pre>/,
      ],
      hides: [/picture-2/],
    },
    {
      name: "no article",
      page: { isArticle: false },
      shows: [/This page is not an article/, /Saved page/],
    },
    { name: "a page without a title", page: { title: "" }, shows: [/<h1[^>]*>Link<\/h1>/] },
    {
      name: "a PDF",
      kept: PDF,
      shows: [/has no text/, /original\?download=true"/, /Archive/],
      hides: [/class="prose/, /data-place/, /class="look"/],
    },
  ];
  for (const { name, page, kept, shows, hides = [] } of states)
    test(`shows ${name}`, async () => {
      const { save, keep, room } = await start();
      const id = await save("Link");
      await keep(id, page, kept);
      const html = await room(id);
      for (const one of shows) expect(html).toMatch(one);
      for (const one of hides) expect(html).not.toMatch(one);
    });

  test("without a copy, says why, and what can be done", async () => {
    const { save, room, database, send } = await start();
    const id = await save("Link");
    const html = await room(id);
    expect(html).toContain("This page has no copy yet.");
    expect(html).toContain('href="https://link.example/path"');
    expect(html).toContain(`href="/library/${id}#file"`);
    await database.write((sql) => storeFailure(sql, id, "gone", new Date()));
    expect(await room(id)).toContain("The page no longer exists.");
    for (const path of ["/library/999/read", `/library/${id}/read?copy=7`])
      expect((await send(path)).status).toBe(404);
  });

  test("is private, and for readers of copies alone", async () => {
    const { request, send, save, keep } = await start();
    const id = await save("Link");
    await keep(id);
    const stranger = await request(`/library/${id}/read`);
    expect(stranger.status).toBe(303);
    expect(stranger.headers.get("location")).toStartWith("/sign-in");
    expect((await send(`/library/${id}/read`)).headers.get("cache-control")).toMatch(/private/);
  });

  test("has a place, which is one of the text", async () => {
    const { save, keep, room, stop, post, database } = await start();
    const id = await save("Link");
    const copy = await keep(id);
    // Behind “One is the first.Two & mo”.
    expect((await stop(id, copy, 25, 41)).status).toBe(204);
    const html = await room(id);
    expect(html).toContain('<a href="#stopped">Continue at 41%</a>');
    expect(html).toContain('Two &amp; <span id="stopped"></span>more of it.');
    // At the end, there is nothing to continue.
    await stop(id, copy, 50, 100);
    expect(await room(id)).not.toContain("Continue at");
    for (const fields of [{ place: "x" }, { progress: "101" }, { place: "999999999" }, { copy: "" }]) {
      const all = { copy: String(copy.id), place: "1", progress: "1", ...fields };
      expect((await post(`/library/${id}/read/place`, all)).status).toBe(422);
    }
    const rows = await database.read<{ place: number }>`select place from reading`;
    expect(rows.map(({ place }) => Number(place))).toEqual([50]);
  });

  test("keeps no place of another copy, shows all of them, and reads the one that is chosen", async () => {
    const { save, keep, room, stop, post, send } = await start();
    const id = await save("Link");
    const old = await keep(id, { html: "<p>zebra of before</p>" });
    const copy = await keep(id, { html: "<p>heron of today</p>" });
    expect(await room(id)).toContain("heron");
    const other = await room(id, `?copy=${old.id}`);
    expect(other).toContain("zebra");
    expect(other).toContain("not the copy that you usually read");
    expect(other).not.toMatch(/data-place|Archive/);
    expect(await room(id, `?copy=${copy.id}`)).not.toMatch(/data-place|not the copy that you usually read/);
    await stop(id, old, 5, 50);
    expect(await room(id)).not.toContain("Continue at");
    await stop(id, copy, 8, 50);
    expect(await room(id)).toContain("Continue at 50%");
    const found = async (word: string) =>
      (await (await send(`/library?q=page:${word}`)).text()).includes("link.example");
    expect(await found("zebra")).toBe(false);
    const chosen = await post(`/library/${id}/read`, { act: "choose", copy: String(old.id) });
    expect(chosen.headers.get("location")).toBe(`/library/${id}/read`);
    const html = await room(id);
    expect(html).toContain("zebra");
    expect(html).not.toContain("Continue at");
    expect([await found("zebra"), await found("heron")]).toEqual([true, false]);
    expect((await post(`/library/${id}/read`, { act: "choose", copy: "999" })).status).toBe(404);
    // Without the chosen one, the newest is read again, from its beginning.
    await stop(id, old, 6, 40);
    await send(`/bookmarks/${id}/copies/${old.id}/`, {
      method: "DELETE",
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect(await room(id)).toContain("heron");
    expect(await room(id)).not.toContain("Continue at");
  });

  const ends = [
    { act: "archive", to: "next", unread: false, archived: true, isPutOff: false, said: "Archived." },
    { act: "keep", to: "later", unread: false, archived: false, isPutOff: false, said: "Marked as read." },
    {
      act: "later",
      to: "later",
      unread: true,
      archived: false,
      isPutOff: true,
      said: "Hidden for a week.",
    },
  ] as const;
  for (const { act, to, said, ...states } of ends)
    for (const wasUnread of [true, false])
      test(`ends with “${act}” of a link that ${wasUnread ? "waits" : "does not wait"} to be read`, async () => {
        const { request, cookie, save, keep, room, stop, post, send, statesOf } = await start();
        const id = await save("Link", wasUnread);
        const copy = await keep(id);
        const next = await save("Following", true);
        await keep(next, { words: 690 });
        await stop(id, copy, 9, 30);
        const html = await room(id);
        expect(html).toContain(`<a href="/library/${next}/read" dir="auto">Following</a>, 3 minutes`);
        const begun = await (await send("/library/later")).text();
        expect(begun).toMatch(
          new RegExp(`<a href="/library/${id}/read" dir="auto">Link</a> <span class="quiet">30%`),
        );
        const done = await post(`/library/${id}/read`, { act });
        expect(done.headers.get("location")).toBe(to === "next" ? `/library/${next}/read` : "/library/later");
        expect(await statesOf(id)).toEqual(states);
        const notice = done.headers.getSetCookie()[0]?.split(";")[0];
        const headers = { cookie: `${cookie}; ${notice}` };
        const page = await (await request(done.headers.get("location") ?? "", { headers })).text();
        expect(page).toContain(said);
        expect(page).toContain('data-key="z"');
        // What is dealt with is no longer begun; what is put off is.
        expect((await (await send("/library/later")).text()).includes('id="begun"')).toBe(act === "later");
      });

  test("is not continued once the link is archived elsewhere", async () => {
    const { save, keep, stop, send, database } = await start();
    const id = await save("Link");
    await stop(id, await keep(id), 9, 30);
    expect(await (await send("/library/later")).text()).toContain('id="begun"');
    await changeStates(database, [id], { archived: true }, new Date());
    expect(await (await send("/library/later")).text()).not.toContain('id="begun"');
  });

  test("without anything next, archiving leads to the list", async () => {
    const { save, keep, room, post } = await start();
    const id = await save("Link", true);
    await keep(id);
    expect(await room(id)).toContain("Nothing else to read.");
    const done = await post(`/library/${id}/read`, { act: "archive" });
    expect(done.headers.get("location")).toBe("/library/later");
    expect((await post(`/library/${id}/read`, { act: "burn" })).status).toBe(422);
    expect((await post("/library/999/read", { act: "keep" })).status).toBe(404);
  });

  test("keeps how the text is set, for all copies and both kinds of browser", async () => {
    const { save, keep, room, post, database } = await start();
    const id = await save("Link");
    await keep(id);
    expect(await room(id)).toContain('class="room size-normal width-normal face-serif"');
    const fields = { size: "large", width: "wide", face: "sans", theme: "dark" };
    const set = await post(`/library/${id}/read/look`, fields);
    expect([set.status, set.headers.get("location")]).toEqual([303, `/library/${id}/read`]);
    const html = await room(id);
    expect(html).toContain('class="room size-large width-wide face-sans"');
    expect(html).toContain('data-theme="dark"');
    expect((await post(`/library/${id}/read/look`, { size: "small", quiet: "1" })).status).toBe(204);
    expect(await room(id)).toContain('class="room size-small width-wide face-sans"');
    expect((await post(`/library/${id}/read/look`, { size: "vast" })).status).toBe(422);
    const rows = await database.read<{ name: string }>`select name from site_settings`;
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(KEPT));
  });
});

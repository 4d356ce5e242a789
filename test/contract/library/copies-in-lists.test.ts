import { expect, test } from "bun:test";
import { createApp } from "../../../src/app/app.ts";
import { insertBookmark, writeBookmarks } from "../../../src/bookmarks/bookmark-writer.ts";
import { editRecorded } from "../../../src/bookmarks/recorded-bookmarks.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { storeFailure } from "../../../src/copies/fetching/copy-failure.ts";
import { FETCH_JOB } from "../../../src/copies/fetching/request-fetch.ts";
import { Log } from "../../../src/log.ts";
import { undoChange } from "../../../src/undo/undo.ts";
import { en } from "../../../src/web/messages/en.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { watched } from "../../support/pages/site.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { extractedPage, makeCopy } from "../../support/records/copies.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeContract } from "../../support/server/contract.ts";

const words = (count: number) => "word ".repeat(count).trim();

describeContract("Copies in the lists of the library", (service) => {
  const start = async () => {
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const save = async (title: string) => {
      const link = { title, url: `https://${title.toLowerCase()}.example/path`, description: "#maps" };
      return (await database.write((sql) => insertBookmark(sql, link, undefined, new Date()))).id;
    };
    const html = async (path: string, by = send) => (await by(path)).text();
    return { request, database, send, cookie, save, html };
  };
  const room = (id: number) => `<a href="/library/${id}/read" data-key="r">`;
  const LISTS = ["/library", "/library?view=compact", "/library?q=%23maps", "/library?q=one&sort=relevance"];

  test("a row says how long its copy takes to read, and opens it", async () => {
    const { database, save, html } = await start();
    const [one, other] = [await save("One"), await save("Other")];
    await makeCopy(database, one, words(1_150));
    // A sign-in, which does not replace it.
    await makeCopy(database, one, words(3));
    for (const list of LISTS) {
      const shown = await html(list);
      expect(shown).toContain(`${room(one)}<span class="unseen">Read the copy: </span>5 min</a>`);
      expect(shown).not.toContain(`/library/${other}/read`);
      expect(shown).toContain(`<h3><a href="https://one.example/path" rel="noreferrer"`);
    }
  });

  test("a copy without text is named, too", async () => {
    const { database, save, html } = await start();
    const one = await save("One");
    await makeCopy(database, one, "", { page: undefined });
    expect(await html("/library")).toContain(
      `${room(one)}<span class="unseen">Read the copy: </span>copy</a>`,
    );
  });

  test("nobody else sees that there is one", async () => {
    const { request, database, save, html } = await start();
    const one = await save("One");
    await makeCopy(database, one, words(500));
    for (const list of LISTS) {
      const shown = await html(list, request);
      expect(shown).toContain("https://one.example/path");
      expect(shown).not.toContain(`/library/${one}/read`);
    }
  });

  test("the title opens the copy where the owner wants that, and the host the page", async () => {
    const { request, database, save, html } = await start();
    const [one, other] = [await save("One"), await save("Other")];
    await makeCopy(database, one, words(500));
    await database.write((sql) => saveSite(sql, { titleOpensCopy: true }, new Date()));
    for (const list of ["/library", "/library?q=%23maps"]) {
      const shown = await html(list);
      expect(shown).toContain(`<h3><a href="/library/${one}/read"`);
      expect(shown).toMatch(
        /<a class="host" href="https:\/\/one\.example\/path" rel="noreferrer" data-key="o">/,
      );
      expect(shown).toContain(`<h3><a href="https://other.example/path"`);
      expect(shown).toContain('<a class="host" href="/library?q=site%3Aother.example">');
      expect(shown).not.toContain(`/library/${other}/read`);
      expect(await html(list, request)).toContain(`<h3><a href="https://one.example/path"`);
    }
  });

  test("so does the title of a link whose page is gone, until it is kept again", async () => {
    const { database, save, html } = await start();
    const [one, other, blocked] = [await save("One"), await save("Other"), await save("Blocked")];
    for (const id of [one, blocked]) await makeCopy(database, id, words(500));
    const fail = (id: number, reason: "gone" | "robots") =>
      database.write((sql) => storeFailure(sql, id, reason, new Date()));
    await fail(one, "gone");
    // Without a copy there is nothing to open; a site that keeps programs out is still there for people.
    await fail(other, "gone");
    await fail(blocked, "robots");
    for (const list of LISTS) {
      const shown = await html(list);
      expect(shown).toContain(`<h3><a href="/library/${one}/read"`);
      expect(shown.split("<b>page gone</b>")).toHaveLength(2);
      expect(shown).toContain(`<a class="host" href="https://one.example/path" rel="noreferrer"`);
      if (list.includes("one")) continue;
      for (const title of ["other", "blocked"])
        expect(shown).toContain(`<h3><a href="https://${title}.example/path"`);
    }
    for (const [id, sentence] of [
      [one, "No new copy was kept. The page no longer exists."],
      [other, "No copy was kept. The page no longer exists."],
    ] as const) {
      const page = await html(`/library/${id}`);
      expect(page).toContain('<p class="heads"><b>page gone</b>');
      expect(page).toContain(sentence);
    }
    expect(await html(`/library/${one}/read`)).toContain("<b>page gone</b>");
    // In lists of other pages, too: those with the same tags, and of Today.
    for (const path of [`/library/${blocked}`, "/today"]) {
      const shown = await html(path);
      expect(shown).toContain(`<h3><a href="/library/${one}/read"`);
      expect(shown.split("<b>page gone</b>")).toHaveLength(2);
      expect(shown).toContain('<h3><a href="https://other.example/path"');
    }
    expect(await html(`/library/${blocked}/read`)).not.toContain("page gone");
    await makeCopy(database, one, words(500));
    for (const path of ["/library", `/library/${one}`]) expect(await html(path)).not.toContain("page gone");
  });

  test("nor is it gone at another URL: of an edit, and of an undo", async () => {
    const { database, save, html } = await start();
    const id = await save("One");
    await makeCopy(database, id, words(500));
    const fail = (url: string) => database.write((sql) => storeFailure(sql, id, "gone", new Date(), url));
    await fail("https://one.example/path");
    expect(await html("/library")).toContain("page gone");
    const fields = () => ({ url: "https://one.example/moved" });
    const { undo } = await editRecorded(database, id, fields, { accountId: undefined });
    expect(await html("/library")).not.toContain("page gone");
    // An answer for the URL that it had.
    await fail("https://one.example/path");
    expect(await html("/library")).not.toContain("page gone");
    await fail("https://one.example/moved");
    expect(await html("/library")).toContain("page gone");
    await undoChange(database, undo ?? "", new Date());
    expect(await html("/library")).not.toContain("page gone");
  });

  test("a result that was found inside its copy shows the sentence as text", async () => {
    const { request, database, save, html } = await start();
    const text = "The heron &lt;b&gt; stands in the reeds.";
    const page = await extractedPage("unused", {
      html: `<p>${text}</p>`,
      text: "The heron <b> stands in the reeds.",
    });
    const one = await save("One");
    await makeCopy(database, one, "unused", { page });
    for (const q of ["heron", "page%3Aheron"])
      expect(await html(`/library?q=${q}`)).toContain(
        `<span class="unseen">In the copy or a mark: </span>“The <mark>heron</mark> &lt;b> stands in the reeds.”`,
      );
    expect(await html("/library?q=heron", request)).not.toContain("reeds");
  });

  test("the help for searches names the filters of copies and states", async () => {
    const { html } = await start();
    const help = await html("/library?q=nowhere");
    for (const filter of ["page:word", "has:copy", "has:mark", "is:unread", "is:archived"])
      expect(help).toContain(`<code>${filter}</code>`);
  });

  test("copies of selected links are asked for, one job a link, and the notice says how many", async () => {
    const { database, send, save, html } = await start();
    const [one, two, three] = [await save("One"), await save("Two"), await save("Three")];
    expect(await html("/library?select=1")).toContain('name="action" value="copy"');
    const keep = (fields: Record<string, string | string[]>) =>
      submit(send, "/library/bulk", { action: "copy", back: "/library?select=1", ...fields });
    const jobs = async () => {
      const rows = await database.read<{
        key: string;
      }>`select key from jobs where kind = ${FETCH_JOB} order by key`;
      return rows.map(({ key }) => Number(key)).sort((a, b) => a - b);
    };
    // One is gone.
    const asked = await keep({ id: [String(two), String(one), "99999"] });
    expect(asked.status).toBe(303);
    expect(asked.headers.get("location")).toContain("select=1");
    const cookie = asked.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const next = await (await send("/library", { headers: { cookie } })).text();
    expect(next).toContain(en.copies.selected.done(2));
    expect(await jobs()).toEqual([one, two]);
    expect((await keep({ all: "1" })).status).toBe(303);
    expect(await jobs()).toEqual([one, two, three]);
  });

  test("more than a thousand are refused at once, and nothing is asked for", async () => {
    const { database, send } = await start();
    await writeBookmarks(database, new Date(), (writer) =>
      writer.insertMany(
        Array.from({ length: 1_001 }, (_, index) => ({
          ...{ title: `${index}`, url: `https://example.com/${index}`, description: "" },
          ...{ createdAt: new Date(), states: { unread: false, archived: false, shared: false } },
        })),
      ),
    );
    const refused = await submit(send, "/library/bulk", {
      action: "copy",
      all: "1",
      back: "/library?select=1",
    });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain(en.copies.selected.tooMany(1_000));
    expect(await database.read`select 1 from jobs where kind = ${FETCH_JOB}`).toEqual([]);
  });

  test("copies of selected links are for who may keep them, where pages are fetched", async () => {
    const { request, save, html } = await start();
    const id = String(await save("One"));
    expect(await html("/library?select=1", request)).not.toContain('value="copy"');
    expect((await submit(request, "/library/bulk", { action: "copy", id })).status).toBe(401);
    const { request: open } = await service.startApp({ FETCH_PAGES: "off" });
    await submit(open, "/library/new", { url: "https://a.example/", title: "A" });
    expect(await html("/library?select=1", open)).not.toContain('value="copy"');
    expect((await submit(open, "/library/bulk", { action: "copy", id: "1" })).status).toBe(422);
  });

  test("a list asks for all its copies at once", async () => {
    const { database, cookie, save } = await start();
    for (let number = 0; number < 4; number++) await makeCopy(database, await save(`One${number}`), "words");
    const statements: string[] = [];
    const handle = createApp({
      config: readConfig({ DATABASE_URL: service.databaseUrl, BOOKMARKS_ACCESS: "open" }),
      database: watched(database, async (text) => void statements.push(text)),
      log: new Log({ level: "silent", format: "json" }),
    });
    for (const path of ["/library", "/library?q=%23maps"]) {
      statements.length = 0;
      const request = new Request(`http://localhost${path}`, { headers: { accept: "text/html", cookie } });
      expect((await handle(request, { address: () => "127.0.0.1" })).status).toBe(200);
      expect(statements.filter((text) => /\bfrom copies\b/.test(text))).toHaveLength(1);
    }
  });
});

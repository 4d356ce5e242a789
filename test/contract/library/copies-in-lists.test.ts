import { expect, test } from "bun:test";
import { createApp } from "../../../src/app/app.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { Log } from "../../../src/log.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { watched } from "../../support/pages/site.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
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
    return { request, database, cookie, save, html };
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

import { expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import type { Database } from "../../../src/database/database.ts";
import { runImport as runJob } from "../../../src/imports/import-job.ts";
import { importParts } from "../../support/files/import-parts.ts";
import { sendOver } from "../../support/pages/site.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import type { Send } from "../../support/requests/send.ts";
import { fullRunTest } from "../../support/run/full-run.ts";
import { describeApp } from "../../support/server/contract.ts";

const FILE = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><H3>Recipes</H3><DL><p>
<DT><A HREF="https://kitchen.example/soup" ADD_DATE="1700000000" TAGS="soup">Lentil soup</A>
<DT><A HREF="javascript:alert(1)">A script</A>
<DT><A HREF="https://kept.example/" ADD_DATE="1600000000">Kept already</A>
</DL><p></DL><p>`;

const runImport = (database: Database, job: { key: string; attempts: number }, signal: AbortSignal) =>
  runJob(importParts(database), { ...job, requests: 1, payload: {} }, signal);

/** A tag in a notice: between isolates, so that no name turns the text after it round. */
const named = (tag: string) => `\u2068#${tag}\u2069`;

describeApp("Changes in the library", (service) => {
  const start = async (settings: Record<string, string> = {}) => {
    const app = await service.startApp({ BOOKMARKS_ACCESS: "open", ...settings });
    const all = async () => (await (await app.request("/bookmarks/")).json()) as BookmarkResponse[];
    const add = async (title: string, description = "") => {
      const json = { title, url: `https://x.example/${encodeURIComponent(title)}`, description };
      return ((await (await app.request("/bookmarks/", { method: "POST", json })).json()) as BookmarkResponse)
        .id;
    };
    const page = async (path: string) => (await app.request(path)).text();
    const titles = async () => (await all()).map(({ title }) => title);
    return { ...app, all, add, page, titles };
  };

  /** Follows what a form answers, as a browser does: with the notice's cookie. */
  const follow = async (send: Send, response: Response) => {
    expect(response.status).toBe(303);
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(";", 1)[0])
      .join("; ");
    return (await send(response.headers.get("location") ?? "", { headers: { cookie } })).text();
  };

  /** Presses *Undo* in the notice of a page. */
  const pressUndo = async (send: Send, html: string) => {
    const path = /action="(\/library\/undo\/[^"]+)"/.exec(html)?.[1] ?? "no undo";
    return submit(send, path, {});
  };

  test("removing a link can be undone at once, and lists the link among the removed ones", async () => {
    const { add, page, request, titles } = await start();
    const id = await add("Gone");
    // No page asks before: only a form removes.
    expect((await request(`/library/${id}/remove`)).status).toBe(405);
    expect(await titles()).toEqual(["Gone"]);
    const after = await follow(request, await submit(request, `/library/${id}/remove`, {}));
    expect(after).toContain("Link removed.");
    expect(await titles()).toEqual([]);
    expect((await pressUndo(request, after)).status).toBe(303);
    expect(await titles()).toEqual(["Gone"]);

    await submit(request, `/library/${id}/remove`, {});
    expect(await page("/library/removed")).toContain("Gone");
    expect(
      await follow(request, await submit(request, "/library/removed", { bookmark: String(id) })),
    ).toContain("Restored.");
    expect(await titles()).toEqual(["Gone"]);
    expect((await request(`/bookmarks/${id}`)).status).toBe(200);
    expect((await submit(request, "/library/999/remove", {})).status).toBe(404);
  });

  test("changes the selected links at once: tags, states, removal, each with an undo", async () => {
    const { add, all, page, request, titles } = await start();
    const ids = [await add("One", "#a"), await add("Two"), await add("Three")].map(String);
    const [one = "", two = ""] = ids;
    const bulk = (fields: Record<string, string | string[]>) => submit(request, "/library/bulk", fields);
    const tagged = await follow(request, await bulk({ id: [one, two], action: "add", tags: "b, 2024" }));
    expect((await all()).map(({ description }) => description)).toEqual(["", "#b #2024", "#a #b #2024"]);
    await pressUndo(request, tagged);
    expect((await all()).map(({ description }) => description)).toEqual(["", "", "#a"]);
    await bulk({ id: one, action: "take", tags: "a" });
    expect((await all())[2]?.description).toBe("");
    await bulk({ id: [one, two], action: "unread" });
    expect(await page("/library?show=unread")).toContain("One</a>");
    await bulk({ id: one, action: "archive" });
    expect(await page("/library")).not.toContain(">One</a>");
    expect(await page("/library?show=archived")).toContain(">One</a>");
    const removed = await follow(
      request,
      await bulk({ id: ids, action: "remove", back: "/library?select=1" }),
    );
    expect(await titles()).toEqual([]);
    await pressUndo(request, removed);
    expect(await titles()).toEqual(["Three", "Two", "One"]);
    expect(await page("/library?show=archived")).toContain(">One</a>");
    expect(await follow(request, await bulk({ action: "remove" }))).toContain("Nothing is selected");
    const away = await bulk({ id: one, action: "read", back: "https://evil.example/" });
    expect(away.headers.get("location")).toBe(`/library?ticked=${one}`);
  });

  test("keeps the selection, and shows the error beside the field, when tags are to be added and none is given", async () => {
    const { add, request } = await start();
    const [one = "", two = ""] = [await add("Kept one"), await add("Kept two")].map(String);
    for (const back of ["/library?view=compact&select=1", "/library?q=kept&view=compact&select=1"]) {
      const refused = await submit(request, "/library/bulk", { id: one, action: "add", tags: " , ", back });
      const html = await refused.text();
      expect([back, refused.status]).toEqual([back, 422]);
      expect(html).toContain("<title>Error: ");
      expect(html).toContain("Not changed: one problem to fix");
      expect(html).toContain('<a href="#tags">Tags: Enter at least one tag.</a>');
      expect(html).toContain('<p class="error" id="tags-error">Enter at least one tag.</p>');
      expect(html).toMatch(/<ol class="bookmarks compact[ "]|<ul class="bookmarks compact[ "]/);
      const isChecked = (id: string) => new RegExp(`name="id" value="${id}" checked`).test(html);
      expect([isChecked(one), isChecked(two)]).toEqual([true, false]);
      expect(html).toContain(`name="back" value="${back.replaceAll("&", "&amp;")}"`);
    }
  });

  test("selects among the results of a search", async () => {
    const { add, all, page, request } = await start();
    const id = String(await add("Harbor map"));
    await add("Garden");
    expect(await page("/library?q=harbor")).toContain('href="/library?q=harbor&amp;select=1">Select</a>');
    const html = await page("/library?q=harbor&select=1");
    expect(html).toContain(`name="id" value="${id}"`);
    expect(html).toContain('<input type="hidden" name="select" value="1"');
    const back = "/library?q=harbor&select=1";
    expect(html).toContain(`name="back" value="${back.replace("&", "&amp;")}"`);
    const changed = await submit(request, "/library/bulk", { id, action: "add", tags: "sea", back });
    expect(changed.headers.get("location")).toBe(`${back}&ticked=${id}`);
    expect((await all()).map(({ description }) => description)).toEqual(["", "#sea"]);
    await submit(request, "/library/bulk", { all: "1", action: "add", tags: "port", back });
    expect((await all()).map(({ description }) => description)).toEqual(["", "#sea #port"]);
  });

  test("says what was done to how many of the selected links, which stay selected", async () => {
    const { add, request } = await start();
    const [one = "", two = ""] = [await add("One", "#a"), await add("Two")].map(String);
    const back = "/library?view=compact&select=1";
    const said = async (fields: Record<string, string | string[]>) => {
      const html = await follow(request, await submit(request, "/library/bulk", { back, ...fields }));
      const ticked = [one, two].filter((id) => html.includes(`name="id" value="${id}" checked`));
      return [/role="status"[^>]*>(?:<p>)?([^<]+)/.exec(html)?.[1]?.trim(), ticked.join()];
    };
    const both = [one, two];
    for (const [fields, notice, ticked] of [
      [{ id: both, action: "add", tags: "a, b" }, `${named("a")} and ${named("b")} added to 2 links.`, both],
      [{ id: both, action: "take", tags: "a" }, `${named("a")} removed from 2 links.`, both],
      [{ id: [one], action: "unread" }, "1 link added to “Read later”.", [one]],
      [{ id: both, action: "unread" }, "1 of 2 links added to “Read later”.", both],
      [{ id: both, action: "unread" }, "Nothing was changed.", both],
      [{ all: "1", action: "read" }, "2 links marked as read.", both],
      [{ id: [one], action: "archive" }, "1 link archived.", []],
      [{ all: "1", action: "add", tags: "c" }, `${named("c")} added to 1 link.`, [two]],
      [{ id: [one], action: "unarchive" }, "1 link unarchived.", [one]],
      [{ id: [one, one], action: "remove" }, "1 link removed.", []],
    ] satisfies [Record<string, string | string[]>, string, string[]][])
      expect(await said(fields)).toEqual([notice, ticked.join()]);
  });

  test.each(["/library?select=1", "/library?q=many&select=1"])(
    "changes the links on the other pages of %s, too",
    async (back) => {
      const { database, page, request } = await start();
      await database.write(async (sql) => {
        for (let n = 0; n < 52; n++)
          await insertBookmark(
            sql,
            { title: `Many ${n}`, url: `https://a.example/${n}`, description: "" },
            undefined,
            new Date(),
          );
      });
      expect(await page(back)).toMatch(/name="all" value="1"\/> All 52/);
      const html = await follow(
        request,
        await submit(request, "/library/bulk", { all: "1", action: "add", tags: "b", back }),
      );
      expect(html).toContain(`${named("b")} added to 52 links.`);
      expect(html).toContain('name="all" value="1" checked');
      await pressUndo(request, html);
      expect(await (await request("/bookmarks/?q=%23b")).json()).toEqual([]);
    },
  );

  test("renames a tag, merges and removes several, and undoes each change", async () => {
    const { add, all, page, request } = await start();
    await add("One", "#garden/roses");
    await add("Two", "#garden");
    await add("Three", "#recipes");
    const tags = (fields: Record<string, string | string[]>) => submit(request, "/library/tags", fields);
    expect(await page("/library/tags")).toContain("<bdi>garden/roses</bdi>");
    const renaming = await page("/library/tags?rename=garden");
    expect(renaming).toContain("New name for “garden”");
    const renamed = await follow(request, await tags({ action: "rename", from: "garden", to: "gardening" }));
    const lines = async () => (await all()).map(({ description }) => description);
    expect(await lines()).toEqual(["#recipes", "#gardening", "#gardening/roses"]);
    await pressUndo(request, renamed);
    expect(await lines()).toEqual(["#recipes", "#garden", "#garden/roses"]);
    const merged = await follow(
      request,
      await tags({ action: "merge", tag: ["garden", "recipes"], into: "home" }),
    );
    expect(await lines()).toEqual(["#home", "#home", "#garden/roses"]);
    await pressUndo(request, merged);
    await tags({ action: "delete", tag: ["garden", "recipes"] });
    expect(await lines()).toEqual(["", "", "#garden/roses"]);
    const wrongs: [Record<string, string | string[]>, string][] = [
      [{ action: "rename", from: "garden/roses", to: " " }, "Not renamed: one problem to fix"],
      [{ action: "merge", tag: ["garden/roses"], into: "" }, "Not merged: one problem to fix"],
      [{ action: "delete" }, "Not deleted: one problem to fix"],
    ];
    for (const [wrong, said] of wrongs) {
      const response = await tags(wrong);
      expect(response.status).toBe(422);
      const html = await response.text();
      expect(html).toContain("<title>Error: Tags");
      expect(html).toContain(said);
    }
    expect((await tags({ action: "rename", from: "nothing", to: "x" })).status).toBe(404);
  });

  test("merges tags into the most used one when no other name is given", async () => {
    const { add, all, request } = await start();
    for (const note of ["#recipe", "#recipes", "#Recipes", "#other"]) await add(note, note);
    const fields = { action: "merge", tag: ["recipe", "recipes"], into: " " };
    const html = await follow(request, await submit(request, "/library/tags", fields));
    const lines = (await all()).map(({ description }) => description);
    expect(lines).toEqual(["#other", "#recipes", "#recipes", "#recipes"]);
    expect(html).toContain("\u2068#recipe\u2069 replaced with \u2068#recipes\u2069.");
  });

  test("names the changed tags, and says only how many when their names are long", async () => {
    const { add, request } = await start();
    await add("One", "#garden\u202e");
    const long = Array.from({ length: 12 }, (_, n) => `${"long".repeat(8)}${n}`);
    await add("Two", long.map((name) => `#${name}`).join(" "));
    const said = async (fields: Record<string, string | string[]>) =>
      follow(request, await submit(request, "/library/tags", fields));
    const renamed = await said({ action: "rename", from: "garden\u202e", to: "home" });
    expect(renamed).toContain(`${named("garden\u202e")} renamed to ${named("home")}.`);
    expect(await said({ action: "merge", tag: long, into: "home" })).toContain(
      `12 tags replaced with ${named("home")}.`,
    );
  });

  test("merges links of the same page", async () => {
    const { all, page, request } = await start();
    for (const url of ["http://www.bread.example/rye/", "https://bread.example/rye?utm_source=feed"])
      await request("/bookmarks/", { method: "POST", json: { title: url, url, description: "#bread" } });
    const html = await page("/library/duplicates");
    expect(html).toContain("Keep this one");
    // One chooses by tags and notes.
    expect(html).toMatch(/<p class="heads"><span dir="auto">#/);
    expect(html).toContain(
      "Their addresses differ only in http and https, “www.”, the end of the path, and parameters.",
    );
    expect(html).toContain("http://www.bread.example/rye/ ·");
    const [first, second] = await all();
    const response = await submit(request, "/library/duplicates", {
      of: `${first?.id} ${second?.id}`,
      keep: String(second?.id),
    });
    const after = await follow(request, response);
    expect(after).toContain("There are no duplicates.");
    expect((await all()).map(({ id }) => id)).toEqual([second?.id ?? 0]);
    await pressUndo(request, after);
    expect(await all()).toHaveLength(2);
  });

  test.each([
    ["open", true],
    ["private", false],
  ] as const)(
    "says of links marked as private that others can read them, if they can (%s)",
    async (access, says) => {
      const { database, request } = await start({ BOOKMARKS_ACCESS: access });
      const send = withHeaders(request, {
        cookie: await makeSession(database, await makeAccount(database, "ada")),
      });
      const rows = [1, 2].map(
        (n) => `<DT><A HREF="https://a.example/${n}" ADD_DATE="1700000000" PRIVATE="1">L</A>`,
      );
      const body = new FormData();
      body.set(
        "file",
        new File([`<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>${rows.join("")}</DL>`], "linkding.html"),
      );
      const headers = { "sec-fetch-site": "same-origin" };
      const uploaded = await send("/library/import", { method: "POST", body, headers });
      const html = await (await send(uploaded.headers.get("location") ?? "")).text();
      expect(html).toContain("Import 2 links<");
      expect(html.split("Marked as private").length - 1).toBe(says ? 1 : 0);
    },
  );

  test("imports a file: previewed row by row, imported once, undone", async () => {
    const { add, all, page, request, titles } = await start();
    await request("/bookmarks/", { method: "POST", json: { title: "Mine", url: "https://kept.example/" } });
    await add("Other");
    const send = (contents: string, name = "bookmarks.html") => {
      const body = new FormData();
      body.set("file", new File([contents], name, { type: "text/html" }));
      return request("/library/import", {
        method: "POST",
        body,
        headers: { "sec-fetch-site": "same-origin" },
      });
    };
    const looked = await send(FILE);
    expect(looked.status).toBe(303);
    const path = looked.headers.get("location") ?? "";
    const html = await page(path);
    expect(html).toContain("Import 1 link<");
    expect(html).toContain("A script");
    expect(html).toContain("Only web addresses can be saved. They begin with https:// or http://.");
    expect(html).toContain("#soup");
    expect(await titles()).toEqual(["Other", "Mine"]);
    const again = await submit(request, path, { look: "1", update: "1" });
    expect(again.headers.get("location")).toBe(`${path}?looked=1&update=1`);
    expect(await page(`${path}?looked=1&update=1`)).toContain("Import 2 links<");

    const done = await follow(request, await submit(request, path, { tags: "1" }));
    expect(done).toContain("Import finished");
    expect(done).toContain("<li>1 link added.</li>");
    expect(done).toContain('Next, look for <a href="/library/duplicates">duplicates</a>.</p>');
    expect((await all()).map(({ title, description }) => [title, description])).toContainEqual([
      "Lentil soup",
      "#soup #Recipes",
    ]);
    // Sent once more, it imports nothing.
    expect(await follow(request, await submit(request, path, { tags: "1" }))).toContain("Import finished");
    expect(await all()).toHaveLength(3);
    const undo = /action="(\/library\/import\/\d+\/undo)"/.exec(await page("/library/import"))?.[1] ?? "";
    expect(done).toContain(`action="${undo}"`);
    // The rows that were refused, whole: of the file, and of the import.
    const refused = [{ line: 4, reason: "url_scheme", url: "javascript:alert(1)", title: "A script" }];
    for (const of of [path, undo.replace(/\/undo$/, "")])
      expect(JSON.parse(await page(`${of}/refused.json`))).toMatchObject(refused);
    expect(await follow(request, await submit(request, undo, {}))).toMatch(
      /The import of “<bdi>[^<]+<\/bdi>” \(\d+ links?, [^)]+\) was undone\./,
    );
    expect((await titles()).toSorted()).toEqual(["Mine", "Other"]);

    for (const contents of ["", "no bookmarks", "<html><title>x</title>"]) {
      const refused = await send(contents);
      expect(refused.status).toBe(422);
      const html = await refused.text();
      expect(html).toContain("Not imported: one problem to fix");
      expect(/id="file-error">([^<]*)</.exec(html)?.[1]).toBe(
        contents === "" ? "Choose a file." : "“bookmarks.html” is not a bookmark export.",
      );
      expect(html).toContain('Is it a blog, or the ZIP file of everything? <a href="/write/import">');
    }
    const hostile = await send(
      FILE.replaceAll("Lentil soup", `"&gt;&lt;img src=x onerror=alert(1)&gt;`),
      `"><b>.html`,
    );
    const shown = await page(hostile.headers.get("location") ?? "");
    expect(shown).not.toContain("<img");
    expect(shown).not.toContain("<b>.html");
  });

  test("imports a file of many rows in the background, continues after an interruption, and undoes it", async () => {
    const { all, database, page, request } = await start();
    const rows = Array.from(
      { length: 1_200 },
      (_, n) => `<DT><A HREF="https://many.example/${n}">No. ${n}</A>`,
    );
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${rows.join("\n")}\n<DT><A HREF="x:y">Bad</A></DL><p>`;
    const body = new FormData();
    body.set("file", new File([file], "many.html"));
    const headers = { "sec-fetch-site": "same-origin" };
    const uploaded = await request("/library/import", { method: "POST", body, headers });
    const path = uploaded.headers.get("location") ?? "";
    const key = path.split("/").at(-1) ?? "";
    expect(await follow(request, await submit(request, path, {}))).toContain("0 of 1,201 rows are imported");
    expect(await all()).toEqual([]);
    expect(await page("/library/import")).toContain(`href="${path}"`);

    // Interrupted as soon as a piece is stored, as by a server that stops.
    const stop = new AbortController();
    const write = database.write;
    const stopping = Object.create(database, {
      write: {
        value: async (work: Parameters<typeof write>[0]) => {
          const result = await write.call(database, work);
          stop.abort();
          return result;
        },
      },
    });
    await expect(runImport(stopping, { key, attempts: 1 }, stop.signal)).rejects.toThrow();
    const begun = (await all()).length;
    expect(begun).toBeGreaterThan(0);
    expect(begun).toBeLessThan(1_200);
    expect(await page(path)).toContain(`${begun} of 1,201 rows are imported`);
    const [record] = await database.read<{ id: number }>`select id from imports`;
    expect((await submit(request, `/library/import/${record?.id}/undo`, {})).status).toBe(409);

    await runImport(database, { key, attempts: 2 }, new AbortController().signal);
    expect(new Set((await all()).map(({ url }) => url)).size).toBe(1_200);
    expect(await all()).toHaveLength(1_200);
    const done = await page(path);
    expect(done).toContain("Import finished");
    expect(done).toContain("<li>1,200 links added.</li>");
    expect(JSON.parse(await page(`${path}/refused.json`))).toHaveLength(1);
    // A job that comes a second time finds nothing to do.
    await runImport(database, { key, attempts: 2 }, new AbortController().signal);
    expect(await database.read`select id from imports`).toHaveLength(1);
    expect((await submit(request, `/library/import/${record?.id}/undo`, {})).status).toBe(303);
    expect(await all()).toEqual([]);
  });

  test("a file of bookmarks is read once: its previews and its import, by any process, use what was read", async () => {
    const { all, database, page, request } = await start();
    const other = sendOver(database, { BOOKMARKS_ACCESS: "open" });
    const rows = Array.from(
      { length: 60 },
      (_, n) => `<DT><A HREF="https://x.example/${n % 50}" TAGS="a">No. ${n}</A>`,
    );
    const body = new FormData();
    body.set("file", new File([`<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${rows.join("")}</DL>`], "x.html"));
    const headers = { "sec-fetch-site": "same-origin" };
    const uploaded = await request("/library/import", { method: "POST", body, headers });
    const path = uploaded.headers.get("location") ?? "";
    const look = await page(path);
    expect(look).toContain("Import 50 links<");
    expect(look).toContain("#a");
    expect(await (await other(path)).text()).toBe(look);
    const parts = async () =>
      (await database.read<{ part: string }>`select distinct part from import_pieces`).map(
        ({ part }) => part,
      );
    expect(await parts()).not.toContain("file");
    // Other options need no other reading.
    const plain = await page(`${path}?looked=1`);
    expect(plain).toContain("Import 50 links<");
    expect(plain).not.toContain("#a");
    await submit(other, path, {});
    expect(new Set((await all()).map(({ description }) => description))).toEqual(new Set([""]));
    expect(await parts()).toEqual([]);
  });

  fullRunTest(
    "an import of many rows that fails five times is given up, and can be requested again",
    async () => {
      const { all, database, page, request } = await start();
      const rows = Array.from(
        { length: 1_200 },
        (_, n) => `<DT><A HREF="https://many.example/${n}">No. ${n}</A>`,
      );
      const body = new FormData();
      body.set(
        "file",
        new File([`<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${rows.join("")}</DL>`], "many.html"),
      );
      const headers = { "sec-fetch-site": "same-origin" };
      const path =
        (await request("/library/import", { method: "POST", body, headers })).headers.get("location") ?? "";
      const key = path.split("/").at(-1) ?? "";
      await submit(request, path, {});
      // The second piece fails.
      const { write } = database;
      const failing = Object.create(database, {
        write: {
          value: (work: Parameters<typeof write>[0]) =>
            write.call(database, async (sql) => {
              const result = await work(sql);
              const [count] = await sql<{ n: number }>`select count(*) as n from bookmarks`;
              if (Number(count?.n) > 500) throw new Error("stopped");
              return result;
            }),
        },
      });
      const attempt = (attempts: number, on = failing) =>
        runImport(on, { key, attempts }, new AbortController().signal);
      await expect(attempt(1)).rejects.toThrow("stopped");
      expect(await page(path)).toContain("500 of 1,200 rows are imported");
      await expect(attempt(4)).rejects.toThrow("stopped");
      await attempt(5);
      const failed = await page(path);
      expect(failed).toContain("The import failed.");
      expect(failed).toContain("Import 700");
      expect(await page("/library/import")).not.toContain(`href="${path}"`);

      // A job that has taken its process with it five times is not run again.
      await submit(request, path, {});
      expect(await page(path)).not.toContain("The import failed.");
      await attempt(6, database);
      expect(await page(path)).toContain("The import failed.");
      expect(await all()).toHaveLength(500);

      await submit(request, path, {});
      await attempt(1, database);
      expect(await page(path)).toContain("Import finished");
      expect(await all()).toHaveLength(1_200);
      const imports = await database.read<{ id: number }>`select id from imports order by id`;
      expect(imports).toHaveLength(2);
      for (const { id } of imports)
        expect((await submit(request, `/library/import/${id}/undo`, {})).status).toBe(303);
      expect(await all()).toEqual([]);
    },
  );

  fullRunTest("a file of many rows without anything new records no import", async () => {
    const { database, page, request } = await start();
    const rows = Array.from({ length: 1_200 }, (_, n) => `<DT><A HREF="x:${n}">No. ${n}</A>`);
    const body = new FormData();
    body.set(
      "file",
      new File([`<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${rows.join("")}</DL>`], "none.html"),
    );
    const headers = { "sec-fetch-site": "same-origin" };
    const uploaded = await request("/library/import", { method: "POST", body, headers });
    const path = uploaded.headers.get("location") ?? "";
    await submit(request, path, {});
    const key = path.split("/").at(-1) ?? "";
    await runImport(database, { key, attempts: 1 }, new AbortController().signal);
    expect(await page(path)).toContain("Nothing was new.");
    expect(await database.read`select id from imports`).toEqual([]);
    expect(await database.read`select position from import_rows`).toEqual([]);
  });

  test("exports everything, as a download that runs no scripts", async () => {
    const { add, request } = await start();
    await add("<script>alert(1)</script>", "#a");
    for (const name of ["bookmarks.html", "bookmarks.json", "bookmarks.csv"]) {
      const response = await request(`/library/export/${name}`);
      expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
      expect(response.headers.get("content-security-policy")).toContain("sandbox");
      expect(await response.text()).toContain("alert(1)");
    }
  });

  test("searches: highlights words, counts the tags of all results, keeps order and page", async () => {
    const { add, page } = await start();
    for (let n = 0; n < 60; n++) await add(`River ${n}`, n % 2 === 0 ? "Deep. #even" : "Deep. #odd");
    await add("Other", "A river & <b>.");
    const html = await page("/library?q=river");
    expect(html).toContain("61 links for “river”");
    expect(html).toContain("<mark>River</mark>");
    expect(html).toMatch(/even<\/a> <span class="count">30</);
    const next = /href="([^"]*)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(await page(next)).toContain("A <mark>river</mark> &amp; &lt;b>.");
    await add("東京大学", "京都, title");
    expect(await page(`/library?q=${encodeURIComponent("京")}`)).toContain("東<mark>京</mark>大学");
    const inTitle = await page(`/library?q=${encodeURIComponent("title:京")}`);
    expect(inTitle).toContain("東<mark>京</mark>大学");
    expect(inTitle).toContain(">京都, title<");
    expect(await page("/library?q=river&sort=newest")).toContain("Today");
    expect(await page("/library?q=nothing-of-it")).toContain("Nothing found for “nothing-of-it”");
    expect(await page("/library?q=%22open")).toMatch(
      /<h2>This quotation mark is not closed\.<\/h2><p dir="auto"><mark>&quot;open<\/mark><\/p><p>Add a closing quotation mark[^<]*<\/p><p><a href="\/library\?q=open">Search for “<bdi>open<\/bdi>”<\/a>/,
    );
    expect(await page("/library?q=%26")).toContain("Nothing found");
  });

  test("has a feed of every search, and private feeds for anyone with the address", async () => {
    const { request, database } = await start({ BOOKMARKS_ACCESS: "private" });
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    for (const [title, description] of [
      ["Rye & \u0001<b>", "Day four. #bread"],
      ["Other", ""],
    ])
      await send("/bookmarks/", {
        method: "POST",
        json: { title, url: "https://rye.example/", description },
      });
    expect((await request("/library.atom")).status).toBe(303);
    const feed = await send("/library.atom?q=%23bread");
    expect(feed.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const xml = await feed.text();
    expect(xml).toContain("<![CDATA[Rye & <b>]]>");
    expect(xml).not.toContain("Other");
    expect(xml).not.toContain("\u0001");
    const etag = feed.headers.get("etag") ?? "";
    const again = await send("/library.atom?q=%23bread", { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);

    const found = await (await send("/library?q=%23bread")).text();
    expect(found).toContain('href="/library.atom?q=%23bread"');
    const description = await send("/library/opensearch.xml");
    expect(await description.text()).toContain("/library?q={searchTerms}");

    const made = await submit(send, "/library/feeds", { q: "#bread" });
    expect(made.status).toBe(200);
    expect(made.headers.get("cache-control")).toContain("no-store");
    const path = /\/library\/feeds\/[0-9a-f]{40}\/library\.atom/.exec(await made.text())?.[0] ?? "";
    const open = await request(path);
    expect([open.status, (await open.text()).includes("Rye & ")]).toEqual([200, true]);
    expect((await request(path.replace(/[0-9a-f]{40}/, "0".repeat(40)))).status).toBe(404);
    const end = /name="end" value="(\d+)"/.exec(await (await send("/library/feeds")).text())?.[1] ?? "";
    expect((await submit(send, "/library/feeds", { end })).status).toBe(303);
    expect((await request(path)).status).toBe(404);
  });

  for (const access of ["open", "private"])
    test(`a page of another site can send none of these forms (${access})`, async () => {
      const { request, database } = await start({ BOOKMARKS_ACCESS: access });
      const cookie = await makeSession(database, await makeAccount(database, "ada"));
      const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example", cookie };
      const paths = [
        "1/remove",
        "removed",
        "undo/x",
        "bulk",
        "tags",
        "duplicates",
        "import",
        "import/x",
        "import/1/undo",
      ];
      for (const path of paths)
        expect([path, (await submit(request, `/library/${path}`, { id: "1" }, foreign)).status]).toEqual([
          path,
          403,
        ]);
    });

  test("readers without write access see none of these pages", async () => {
    const { request } = await start({ BOOKMARKS_ACCESS: "read" });
    for (const path of ["tags", "duplicates", "removed", "import", "new", "bookmarklet", "1", "1/edit"])
      expect([path, (await request(`/library/${path}`)).status]).toEqual([path, 303]);
    expect((await request("/library/export")).status).toBe(200);
    expect(await (await withHeaders(request, {})("/library")).text()).not.toContain("select=1");
  });
});

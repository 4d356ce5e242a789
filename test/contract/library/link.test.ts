import { expect, test } from "bun:test";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("The page of a link", (service) => {
  const start = async () => {
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    const save = async (title: string, description = "") => {
      const link = { title, url: `https://${title.toLowerCase()}.example/path`, description };
      return (await database.write((sql) => insertBookmark(sql, link, undefined, new Date()))).id;
    };
    const page = async (path: string) => (await request(path)).text();
    const send = (path: string, fields: Record<string, string | string[]>) => submit(request, path, fields);
    /** Edits a link from its page. */
    const edit = async (id: number, changes: Record<string, string>) => {
      const html = await page(/href="([^"]+\/edit[^"]*)"/.exec(await page(`/library/${id}`))?.[1] ?? "");
      const names = ["url", "title", "note", "tags", "version", "back"];
      const fields = Object.fromEntries(names.map((name) => [name, fieldValue(html, name) ?? ""]));
      return send(`/library/${id}/edit`, { ...fields, ...changes });
    };
    return { save, page, send, edit };
  };
  const undos = (html: string) =>
    [...html.matchAll(/action="(\/library\/undo\/[^"]+)"/g)].map(([, path = ""]) => path);

  test("shows all of its note and its tags, and its address as a link", async () => {
    const { save, page } = await start();
    const note = "All of it. ".repeat(100).trim();
    const tags = Array.from({ length: 20 }, (_, n) => `t${n}`);
    const html = await page(
      `/library/${await save("One", `${note} ${tags.map((tag) => `#${tag}`).join(" ")}`)}`,
    );
    expect(html).toContain(note);
    expect(html).toContain('href="/library?q=%23t19"');
    expect(html.match(/href="https:\/\/one\.example\/path"/g)).toHaveLength(2);
    expect(html).toContain('href="/library?q=site%3Aone.example"');
    expect(html).not.toContain("/library/undo/");
  });

  test("is one step from the row, by day and in a result", async () => {
    const { save, page } = await start();
    const id = await save("One");
    expect(await page("/library")).toContain(`<a href="/library/${id}">`);
    expect(await page("/library?q=one")).toMatch(
      new RegExp(`<time class="when"[^>]*><a href="/library/${id}">`),
    );
  });

  test("is where one comes back to after a change of it, and not after its removal", async () => {
    const { save, page, send, edit } = await start();
    const id = await save("One");
    const here = `/library/${id}`;
    expect((await edit(id, { title: "Changed" })).headers.get("location")).toBe(here);
    expect(await page(here)).toContain("Changed");
    const act = await send("/library/later", { act: `unread-${id}`, back: here });
    expect(act.headers.get("location")).toBe(here);
    expect(await page(here)).toContain("<b>read later</b>");
    const removed = await send(`${here}/remove`, { back: here });
    expect(removed.headers.get("location")).toBe("/library");
  });

  test("lists what was done to it, and undoes the last of it", async () => {
    const { save, page, send, edit } = await start();
    const id = await save("One", "First.");
    const other = await save("Two");
    await send("/library/bulk", { id: [String(id), String(other)], action: "add", tags: "maps" });
    await edit(id, { note: "Second." });
    const here = `/library/${id}`;
    const both = await page(here);
    expect(both).toContain("<bdi>Edited</bdi>");
    expect(both).toContain("<bdi>\u2068#maps\u2069 added</bdi> (and 1 other link)");
    expect(both).toContain("It has changed since.");
    const [edited = "", none] = undos(both);
    expect(none).toBeUndefined();
    expect((await send(edited, { back: here })).headers.get("location")).toBe(here);
    expect(await page(here)).toContain("First.");
    const [added = ""] = undos(await page(here));
    await send(added, { back: here });
    expect(await page(here)).not.toContain("#maps");
    expect(await page(`/library/${other}`)).not.toContain("#maps");
    expect(undos(await page(here))).toEqual([]);
  });

  test("does not exist for a link that is not there", async () => {
    const { page } = await start();
    for (const id of ["1", "99999999999999999999", "x"])
      expect(await page(`/library/${id}`)).toContain("There is nothing at this address");
  });
});

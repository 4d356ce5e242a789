import { expect, test } from "bun:test";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const NOTE = "A note of more than two lines, read where it stands. ".repeat(8).trim();

describeApp("A row of the library", (service) => {
  const start = async () => {
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    const save = async (title: string, { url = "https://a.example/path", description = "" } = {}) => {
      const link = { title, url, description };
      return (await database.write((sql) => insertBookmark(sql, link, undefined, new Date()))).id;
    };
    const page = async (path = "/library") => (await request(path)).text();
    /** Submits a form. @returns where it leads, and that page */
    const send = async (path: string, fields: Record<string, string>) => {
      const response = await submit(request, path, fields);
      const location = response.headers.get("location") ?? "";
      const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const html =
        response.status === 303
          ? await (await request(location, { headers: { cookie } })).text()
          : await response.text();
      return { status: response.status, location, html };
    };
    /** Presses a button of the list, or its *Undo*. */
    const act = (name: string, back = "/library") => send("/library/later", { act: name, back });
    const read = (id: number) => changeStates(database, [id], { unread: true }, new Date());
    return { save, page, send, act, read };
  };
  const actsOf = (html: string) =>
    [...html.matchAll(/name="act" value="([^"]+)"/g)].map(([, value = ""]) => value);
  const titles = (html: string) =>
    [...html.matchAll(/<h3><a [^>]*>([^<]*)<\/a>/g)].map(([, title = ""]) => title);

  test("is marked as read and archived in one step each, with Undo, and leads back to its place", async () => {
    const { save, page, act, read } = await start();
    const one = await save("One");
    const two = await save("Two");
    await read(two);
    const list = await page();
    expect(list).toContain("<b>read later</b>");
    expect(actsOf(list)).toEqual([
      `read-${two}`,
      `archive-${two}-${one}`,
      `unread-${one}`,
      `archive-${one}-${two}`,
    ]);
    const marked = await act(`read-${two}`, "/library?view=compact");
    expect(marked.location).toBe(`/library?view=compact#link-${two}`);
    expect(marked.html).toContain("Marked as read.");
    expect(marked.html).not.toContain("<b>read later</b>");
    expect(actsOf(marked.html)).toContain(`unread-${two}`);
    expect(marked.html).toMatch(new RegExp(`form="undo" name="act" value="unread-${two}"`));
    expect((await act(`unread-${two}`)).html).toContain("<b>read later</b>");
    const archived = await act(`archive-${two}-${one}`);
    expect(archived.location).toBe(`/library#link-${one}`);
    expect(titles(archived.html)).toEqual(["One"]);
    expect(archived.html).toMatch(new RegExp(`form="undo" name="act" value="unarchive-${two}"`));
    expect(titles((await act(`unarchive-${two}`)).html)).toEqual(["Two", "One"]);
  });

  test("leads to its neighbor only from a list that it leaves", async () => {
    const { save, page, read } = await start();
    const ids = [await save("One"), await save("Two")];
    for (const id of ids) await read(id);
    const [one, two] = ids;
    const unread = actsOf(await page("/library?show=unread"));
    expect(unread.slice(0, 2)).toEqual([`read-${two}-${one}`, `archive-${two}`]);
    expect(actsOf(await page("/library?q=one"))).toEqual([`read-${one}`, `archive-${one}`]);
  });

  test.each(["", "remove-1", "archive-0", "archive-1-", "archive-1-x", "constructor-1"])(
    "is not changed by %j",
    async (name) => {
      const { save, act } = await start();
      await save("Kept");
      const { status, html } = await act(name);
      expect([status, titles(html)]).toEqual([303, ["Kept"]]);
    },
  );

  test("leads to no other site after an action", async () => {
    const { save, act } = await start();
    const id = await save("One");
    for (const back of ["https://evil.example/", "//evil.example", "/account"])
      expect((await act(`archive-${id}`, back)).location).toBe(`/library#link-${id}`);
  });

  test("gets a tag in two steps, which can be undone", async () => {
    const { save, page, send } = await start();
    const id = await save("One", { description: "Note" });
    const other = await save("Two");
    expect(await page()).toContain(`href="/library?tag=${id}" data-key="t"`);
    const back = `/library?tag=${id}`;
    const asked = await page(back);
    expect(asked.match(/name="tags"/g)).toHaveLength(1);
    expect(asked).toContain(`name="back" value="${back}"`);
    const fields = { id: String(id), action: "add", back };
    const { location, html } = await send("/library/bulk", { ...fields, tags: "maps" });
    expect(location).toBe(`/library#link-${id}`);
    expect(html).toContain("\u2068#maps\u2069 added to 1 link.");
    expect(html).toContain("#maps</a>");
    expect(html).toContain('action="/library/undo/');
    const refused = await send("/library/bulk", { ...fields, tags: "" });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain("Enter at least one tag.");
    expect(refused.html.match(/name="tags"/g)).toHaveLength(1);
    expect(await page(`/library?tag=${other}9`)).not.toContain('name="tags"');
  });

  test("has its host as a link to all of the site", async () => {
    const { save, page } = await start();
    await save("One", { url: "https://www.a.example/1" });
    await save("Two", { url: "https://b.example/2" });
    await save("Three", { url: "https://xn--mnchen-3ya.de/3" });
    await save("Four", { url: "http://[::1]:8080/4" });
    const links = [...(await page()).matchAll(/class="host" href="([^"]+)"/g)].map(([, href = ""]) => href);
    expect(links).toHaveLength(4);
    const found = [];
    for (const href of links) found.push(...titles(await page(href)));
    expect(found).toEqual(["Four", "Three", "Two", "One"]);
  });

  test("has a long note whole, and a short one without a button", async () => {
    const { save, page } = await start();
    await save("Short", { description: "Short." });
    expect(await page()).not.toContain("<details>");
    await save("Long", { description: NOTE });
    const html = await page();
    expect(html.match(/<details>/g)).toHaveLength(1);
    expect(html).toContain(`</summary>${NOTE}</details>`);
  });

  test("marks nothing in a long note but what is shown of it", async () => {
    const { save, page } = await start();
    await save("Long", { description: `maps ${"word ".repeat(1_000)} maps` });
    const html = await page("/library?q=maps");
    expect(html).toContain("<mark>maps</mark>");
    expect(html).not.toContain("<mark></mark>");
  });

  test("without a title has the last piece of its path, if that can be read, else its host", async () => {
    const { save, page } = await start();
    for (const path of [
      "old%20maps",
      "",
      "%00%1b%5B31m",
      "%E2%80%AEgpj.exe",
      "a%E2%81%A6b",
      "%E5%9C%B0%E5%9B%B3/",
    ])
      await save("", { url: `https://a.example/${path}` });
    expect(titles(await page()).toReversed()).toEqual([
      "old maps",
      "a.example",
      "a.example",
      "a.example",
      "a.example",
      "地図",
    ]);
  });

  test("is no link for what is no address of the web", async () => {
    const { save, page } = await start();
    await save("", { url: "javascript:alert(1)" });
    const html = await page();
    expect(html).not.toContain('href="javascript:');
    expect(html).not.toContain('class="host"');
  });
});

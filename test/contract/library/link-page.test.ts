import { expect, test } from "bun:test";
import { en } from "../../../src/web/messages/en.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { makePagePicture } from "../../support/records/page-pictures.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const FILE = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><A HREF="https://old.example/" ADD_DATE="1700000000">Old</A></DL><p>`;

describeApp("The page of a link", (service) => {
  const start = async () => {
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    const add = async (title: string, url: string, description = "") => {
      const json = { title, url, description };
      return ((await (await send("/bookmarks/", { method: "POST", json })).json()) as { id: number }).id;
    };
    const get = async (id: number) =>
      (await (await send(`/bookmarks/${id}`)).json()) as { title: string; description: string };
    const html = async (id: number) => (await send(`/library/${id}`)).text();
    /** The titles in one of its sections. */
    const titles = async (id: number, section: string) => {
      const found = new RegExp(`<section[^>]*aria-labelledby="${section}".*?</section>`, "s").exec(
        await html(id),
      );
      return [...(found?.[0] ?? "").matchAll(/<h3>.*?>([^<]*)<\/a>/gs)].map(([, title]) => title);
    };
    /** What the form of the note sends, with another note. */
    const noteForm = async (id: number, note: string) => {
      const form = /<form[^>]*action="\/library\/\d+\/note".*?<\/form>/s.exec(await html(id))?.[0] ?? "";
      const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
      return { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), note };
    };
    return { request, database, send, add, get, html, titles, noteForm };
  };

  test("its note is stored where it stands; the tags stay, and the history says so, with an undo", async () => {
    const { send, add, get, html, noteForm } = await start();
    const id = await add("Maps", "https://a.example/", "Old note.\n#maps");
    const saved = await submit(send, `/library/${id}/note`, await noteForm(id, "A new note,\nof two lines."));
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `/library/${id}`]);
    expect((await get(id)).description).toBe("A new note,\nof two lines.\n#maps");
    const after = await html(id);
    expect(after).toContain(en.library.one.done.update);
    const undo = /action="(\/library\/undo\/[^"]+)"/.exec(after)?.[1] ?? "";
    await submit(send, undo, {});
    expect((await get(id)).description).toBe("Old note.\n#maps");
    const same = await submit(send, `/library/${id}/note`, await noteForm(id, "Old note."));
    expect(same.headers.get("set-cookie")).toContain("nothing-changed");
  });

  test("a note over a newer version is compared with that, and what nobody typed is as it is now", async () => {
    const { send, add, get, noteForm } = await start();
    const id = await add("Maps", "https://a.example/", "Old note.\n#maps");
    const form = await noteForm(id, "My note.");
    const json = { title: "Their title", description: "Their note.\n#theirs" };
    await send(`/bookmarks/${id}`, { method: "PATCH", json });
    const refused = await submit(send, `/library/${id}/note`, form);
    expect(refused.status).toBe(412);
    const text = await refused.text();
    expect(text).toContain("My note.");
    expect(text).toContain("Their note.");
    expect(text).toMatch(/type="hidden" name="title" value="Their title"/);
    expect(text).toMatch(/type="hidden" name="tags" value="theirs"/);
    expect((await get(id)).description).toBe("Their note.\n#theirs");

    const late = await noteForm(id, "Too late.");
    await send(`/bookmarks/${id}`, { method: "DELETE" });
    const gone = await submit(send, `/library/${id}/note`, late);
    const page = await gone.text();
    expect(page).toContain(en.library.conflict.goneTitle);
    for (const kept of ["Too late.", "https://a.example/", "Their title", "theirs"])
      expect(page).toContain(kept);
  });

  test("tags are added in place, with an undo; without a name the page says so", async () => {
    const { send, add, get } = await start();
    const id = await add("Maps", "https://a.example/", "#maps");
    const added = await submit(send, `/library/${id}/tags`, { tags: "old paper, maps" });
    expect([added.status, added.headers.get("location")]).toEqual([303, `/library/${id}`]);
    expect(added.headers.get("set-cookie")).toContain("links-changed");
    expect((await get(id)).description).toBe("#maps #old-paper");
    const refused = await submit(send, `/library/${id}/tags`, { tags: " , " });
    const text = await refused.text();
    expect(refused.status).toBe(422);
    expect(text).toContain('<a href="#tags">');
    expect(text).toContain('<details class="in-place" open');
    expect((await submit(send, "/library/999/tags", { tags: "x" })).status).toBe(404);
  });

  test("lists the six newest others of the site, and links with most of its tags that are not among them", async () => {
    const { add, titles, html } = await start();
    const site = (n: number) => add(`Site ${n}`, `https://www.site.example/${n}`, "#a #b");
    for (const n of [1, 2, 3, 4, 5, 6]) await site(n);
    await add("Both", "https://one.example/", "#A #b");
    await add("One of them", "https://two.example/", "#b");
    await add("None", "https://three.example/", "#c");
    const id = await add("This", "https://site.example/this", "#a #b");
    expect(await titles(id, "of-site")).toEqual([6, 5, 4, 3, 2, 1].map((n) => `Site ${n}`));
    expect(await titles(id, "same-tags")).toEqual(["Both", "One of them"]);
    expect(await html(id)).not.toContain(en.link.allFrom("site.example"));
    await site(7);
    expect(await titles(id, "of-site")).toEqual([7, 6, 5, 4, 3, 2].map((n) => `Site ${n}`));
    expect(await html(id)).toContain(en.link.allFrom("site.example"));
    const alone = await add("Alone", "https://alone.example/");
    expect(await titles(alone, "of-site")).toEqual([]);
    expect(await titles(alone, "same-tags")).toEqual([]);
  });

  test("with a copy, it has its author, its length, its first paragraph, and Read as the first action", async () => {
    const { add, database, html, request } = await start();
    const id = await add("Maps", "https://a.example/");
    const button = (text: string, label: string) => new RegExp(`class="button"[^>]*>${label}</a>`).test(text);
    expect(button(await html(id), "Open the page")).toBe(true);
    const paragraph = "Sales of folded maps have doubled in four years, and nobody knows why that is so.";
    await makeCopy(database, id, paragraph);
    const text = await html(id);
    expect([button(text, "Read"), button(text, "Open the page")]).toEqual([true, false]);
    for (const shown of [`>${paragraph}</p>`, "<bdi>Ada</bdi>", "<span>1 min</span>"])
      expect(text).toContain(shown);
    // Open to all, but copies are for accounts.
    const anonymous = await (await request(`/library/${id}`)).text();
    for (const hidden of ["Sales of folded", "<bdi>Ada</bdi>"]) expect(anonymous).not.toContain(hidden);
  });

  test("has the picture of the page; what was sent from a browser is for accounts alone", async () => {
    const { add, database, html, request } = await start();
    for (const isPublic of [true, false]) {
      const url = `https://${isPublic}.example/`;
      const id = await add("Maps", url);
      expect(await html(id)).not.toContain("<img");
      await makePagePicture(database, url, { isPublic });
      const shown = new RegExp(`src="/library/pictures/${id}/[0-9a-f]+.webp" width="480" height="252" alt/>`);
      expect(await html(id)).toMatch(shown);
      expect(shown.test(await (await request(`/library/${id}`)).text())).toBe(isPublic);
    }
  });

  test("says which import has brought it", async () => {
    const { send, add, html } = await start();
    const saved = await add("Saved", "https://saved.example/");
    expect(await html(saved)).not.toContain(en.link.imported[0]);
    const body = new FormData();
    body.set("file", new File([FILE], "firefox.html"));
    const headers = { "sec-fetch-site": "same-origin" };
    const bring = async () => {
      const uploaded = await send("/library/import", { method: "POST", body, headers });
      expect((await submit(send, uploaded.headers.get("location") ?? "", {})).status).toBe(303);
    };
    await bring();
    // A later file that has it, too, did not bring it.
    const more = FILE.replace("</DL>", '<DT><A HREF="https://new.example/">New</A></DL>');
    body.set("file", new File([more], "again.html"));
    await bring();
    expect(await html(saved + 1)).toContain(`${en.link.imported[0]}<bdi>firefox.html</bdi>`);
  });
});

import { expect, test } from "bun:test";
import { readSite } from "../../../src/web/site/site-store.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { createPost, pathOf } from "../../support/records/blog.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("The menu, by clicking", (service) => {
  const start = async () => {
    const app = await service.startApp();
    const account = await makeAccount(app.database, "ada");
    const editor = withToken(app.request, await makeToken(app.database, account));
    const browser = withHeaders(app.request, { cookie: await makeSession(app.database, account) });
    const menu = async () =>
      (await readSite(app.database.read)).links.map(({ text, url }) => `${text} ${url}`);
    const open = async () => (await browser("/settings/menu")).text();
    /** Presses a button of the page as it is, with other texts in some fields. */
    const press = async (act: string, typed: Record<string, string | readonly string[]> = {}) => {
      const html = await open();
      const values = (name: string) =>
        [...html.matchAll(/<input[^>]*>/g)]
          .map(([tag]) => tag)
          .filter((tag) => tag.includes(`name="${name}"`))
          .map((tag) => fieldValue(tag, name) ?? "");
      const fields = { seen: fieldValue(html, "seen") ?? "", text: values("text"), url: values("url") };
      return submit(browser, "/settings/menu", { ...fields, act, ...typed });
    };
    const page = async (title: string, slug: string) => {
      const post = await createPost(editor, { title });
      const json = { kind: "page", slug };
      await editor(`${pathOf(post)}publication/`, { method: "PATCH", json });
      return post;
    };
    const write = (fields: Record<string, string>) =>
      submit(browser, `/write/${crypto.randomUUID()}`, {
        ...{
          title: "About",
          content: "",
          post: "",
          base_version: "",
          version: "0",
          action: "publish",
          kind: "page",
        },
        ...fields,
      });
    return { ...app, editor, browser, menu, open, press, page, write };
  };
  const ADDRESS = { new_text: "Elsewhere", new_url: "https://example.org/me" };

  test("offers pages and tags that it does not lead to yet, and addresses", async () => {
    const { page, editor, open, press, menu, request } = await start();
    expect(await open()).toContain("No links of your own yet.");
    await page("About", "about");
    const tagged = await createPost(editor, { title: "Rye" });
    await editor(`${pathOf(tagged)}publication/`, { method: "PATCH", json: { tags: ["Rye"] } });
    expect((await press("add", { target: "/about" })).headers.get("location")).toBe("/settings/menu#entry-0");
    expect(await open()).not.toContain('<option value="/about"');
    await press("add", { target: "/tags/rye" });
    expect((await press("add", { target: "/nowhere" })).status).toBe(422);
    await press("add-address", ADDRESS);
    expect(await menu()).toEqual(["About /about", "#Rye /tags/rye", "Elsewhere https://example.org/me"]);
    expect(await (await request("/archive")).text()).toContain('<a href="/about" dir="auto">About</a>');
  });

  test("moves, removes and renames links, and keeps what is typed with each button", async () => {
    const { press, menu } = await start();
    for (const n of [1, 2, 3]) await press("add-address", { new_text: `T${n}`, new_url: `/t${n}` });
    await press("up-2");
    expect(await menu()).toEqual(["T1 /t1", "T3 /t3", "T2 /t2"]);
    await press("down-0", { text: ["First", "T3", "T2"] });
    expect(await menu()).toEqual(["T3 /t3", "First /t1", "T2 /t2"]);
    await press("remove-1");
    await press("save", { text: [" Third ", "T2"] });
    expect(await menu()).toEqual(["Third /t3", "T2 /t2"]);
    // At the ends, and beyond.
    await press("up-0");
    await press("down-1");
    await press("remove-7");
    await press("explode-1");
    expect(await menu()).toEqual(["Third /t3", "T2 /t2"]);
  });

  test("refuses what is no link, with everything that was typed", async () => {
    const { press, menu } = await start();
    await press("add-address", ADDRESS);
    const wrong: Record<string, string>[] = [
      { ...ADDRESS, new_text: " " },
      { ...ADDRESS, new_url: "" },
      ...["javascript:alert(1)", "//evil.example/", "/\\evil.example", "about", "https://a b/", "/a\nb"].map(
        (new_url) => ({
          ...ADDRESS,
          new_url,
        }),
      ),
    ];
    for (const typed of wrong) {
      const response = await press("add-address", typed);
      expect([typed, response.status]).toEqual([typed, 422]);
      const html = await response.text();
      expect(html).toContain("<title>Error: Menu");
      expect(html).toContain('value="https://example.org/me"');
    }
    expect((await press("save", { text: [" "] })).status).toBe(422);
    expect((await press("save", { url: ["javascript:alert(1)"] })).status).toBe(422);
    expect((await press("save", { text: ["x".repeat(5_000)] })).status).toBe(422);
    expect(await menu()).toEqual(["Elsewhere https://example.org/me"]);
  });

  test("two windows: the second sees that the first has saved, and decides", async () => {
    const { browser, open, press, menu } = await start();
    const seen = fieldValue(await open(), "seen") ?? "";
    await press("add-address", ADDRESS);
    const late = { seen, act: "add-address", new_text: "Late", new_url: "/late" };
    const response = await submit(browser, "/settings/menu", late);
    expect(response.status).toBe(412);
    const html = await response.text();
    expect(html).toContain("Someone else changed the menu");
    expect(fieldValue(html, "new_text")).toBe("Late");
    const again = fieldValue(html, "seen") ?? "";
    expect((await submit(browser, "/settings/menu", { ...late, seen: again })).status).toBe(303);
    expect(await menu()).toEqual(["Late /late"]);
  });

  test("is reached from the editor: a page is shown in it, and its link follows its address", async () => {
    const { write, menu, browser } = await start();
    expect((await write({ menu: "on" })).headers.get("location")).toBe("/about");
    expect(await menu()).toEqual(["About /about"]);
    const editor = await (await browser(`/write/${crypto.randomUUID()}?post=1`)).text();
    expect(editor).toContain('<a href="/settings/menu">The menu leads here</a>');
    await write({ post: "1", base_version: "1", slug: "me", title: "About me" });
    expect(await menu()).toEqual(["About /me"]);
    await write({ post: "1", base_version: "2", slug: "me", menu: "on" });
    expect(await menu()).toEqual(["About /me"]);
    const later = await write({ title: "Soon", publish_at: "2999-01-01T10:00", menu: "on" });
    expect(later.status).toBe(422);
    expect(await later.text()).toContain("A scheduled post is not there yet.");
    expect(await menu()).toEqual(["About /me"]);
  });

  test("leads to a new page, which is a page and in the menu unless its writer changes that", async () => {
    const { browser, open } = await start();
    expect(await open()).toContain('href="/write/new?kind=page"');
    const started = (await browser("/write/new?kind=page")).headers.get("location") ?? "";
    const editor = await (await browser(started)).text();
    expect(editor).toContain('<option value="page" selected>');
    expect(editor).toContain('<option value="on" selected>');
    expect(editor).toContain('<b class="new">Page · Draft</b>');
    const other = (await browser("/write/new?kind=other")).headers.get("location") ?? "";
    const ofPost = await (await browser(other)).text();
    expect(ofPost).not.toContain('value="page" selected');
    expect(ofPost).toContain('<b class="new">Draft</b>');
  });

  test("with a hundred links shows a dozen at once, and the others when asked", async () => {
    const { editor, request } = await start();
    const header = async (count: number) => {
      const menu = Array.from({ length: count }, (_, n) => ({ text: `Link ${n}`, url: `/link-${n}` }));
      expect((await editor("/api/site/", { method: "PATCH", json: { menu } })).status).toBe(200);
      return /<header.*<\/header>/s.exec(await (await request("/")).text())?.[0] ?? "";
    };
    expect(await header(3)).not.toContain("<details>");
    const html = await header(100);
    const [shown = "", others = ""] = html.split("<details>");
    expect(shown.match(/<a href="\//g)).toHaveLength(14);
    expect(others).toMatch(/^<summary>(\d+) more<\/summary>.*href="\/link-99"/s);
  });
});

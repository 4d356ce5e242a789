/** What pages carry along besides their content: what was asked, directions of writing, numbers, names for scripts, ways on. */
import { expect, test } from "bun:test";
import { parseDocument } from "htmlparser2";
import { storeStates } from "../../src/bookmarks/bookmark-states.ts";
import type { BookmarkStates } from "../../src/records/bookmark-members.ts";
import { en } from "../../src/web/messages/en.ts";
import { until } from "../support/machine/until.ts";
import { makeAccount, makeSession, makeToken, withHeaders, withToken } from "../support/records/accounts.ts";
import { type AppService, describeApp } from "../support/server/contract.ts";

/** "Text" in Hebrew: whatever people write may go from right to left. */
const TEXT = "טקסט";

async function start(service: AppService) {
  const app = await service.startApp({
    BOOKMARKS_ACCESS: "read",
    POSTS_ACCESS: "read",
    COMMENTS: "moderated",
  });
  const { database } = app;
  const account = await makeAccount(database, "ada");
  const browser = withHeaders(app.request, { cookie: await makeSession(database, account) });
  const program = withToken(app.request, await makeToken(database, account));
  const page = async (path: string) => (await browser(path)).text();
  const make = async (path: string, json: object) => {
    const made = await program(path, { method: "POST", json });
    expect([path, made.status]).toEqual([path, 201]);
    return ((await made.json()) as { id: number }).id;
  };
  const link = async (name: string, given: Partial<BookmarkStates> = {}) => {
    const text = { title: `${TEXT} ${name}`, description: `${TEXT}\n#${TEXT} #fern` };
    const id = await make("/bookmarks/", { ...text, url: `https://${name}.example/` });
    const states = { unread: false, archived: false, shared: false, ...given };
    await database.write((sql) => storeStates(sql, [{ id, states }], new Date()));
    return id;
  };
  const publication = async (id: number, json: object) => {
    const changed = await program(`/api/drafts/${id}/publication/`, { method: "PATCH", json });
    expect(changed.status).toBe(200);
  };
  return { ...app, account, browser, page, make, link, publication };
}

type Node = ReturnType<typeof parseDocument>["children"][number];
type Element = Node & { readonly name: string; readonly attribs: Readonly<Record<string, string>> };

/** The nodes of a page, from the top to the bottom. */
function nodesOf(html: string): Node[] {
  const within = (node: Node): Node[] => [node, ...("children" in node ? node.children.flatMap(within) : [])];
  return parseDocument(html).children.flatMap(within);
}

describeApp("A page", (service) => {
  test("shows in the field of its search what was searched for", async () => {
    const { page } = await start(service);
    for (const path of ["/library", "/find", "/write", "/search", "/moderation"]) {
      const fields = nodesOf(await page(`${path}?q=two+%22words%22`)).flatMap((node) =>
        "attribs" in node && node.attribs.type === "search" ? [node.attribs.value] : [],
      );
      expect([path, new Set(fields)]).toEqual([path, new Set(['two "words"'])]);
    }
  });

  test("of the library says of each view how many links it lists", async () => {
    const { page, link } = await start(service);
    for (const name of ["a", "b", "c"]) await link(name);
    for (const name of ["d", "e"]) await link(name, { unread: true });
    await link("f", { archived: true });
    for (const [view, count] of [
      ["", 5],
      ["?show=unread", 2],
      ["?show=archived", 1],
    ] as const) {
      const html = await page(`/library${view}`);
      const entries = nodesOf(html).filter(
        (node) => "attribs" in node && /^b\d+$/.test(node.attribs.id ?? ""),
      );
      expect([view, entries.length]).toEqual([view, count]);
      expect([view, /<span class="unseen" role="status">(\d+) /.exec(html)?.[1]]).toEqual([
        view,
        String(count),
      ]);
    }
  });

  test("of the editor names its button for now and for later, by what the text is", async () => {
    const { browser, page, make, publication } = await start(service);
    const draft = () => make("/api/drafts/", { title: TEXT, content: TEXT, published: false });
    const scheduled = await draft();
    await publication(scheduled, { publish_at: "2199-01-01T00:00:00Z" });
    const published = await make("/api/posts/", { title: TEXT, content: TEXT, published: true });
    for (const [post, now, later] of [
      [await draft(), "Publish", "Schedule"],
      [scheduled, "Publish", "Update"],
      [published, undefined, undefined],
    ] as const) {
      const editor =
        (await browser(`/write?post=${post}`)).headers.get("location") ??
        `/write/${crypto.randomUUID()}?post=${post}`;
      const buttons = nodesOf(await page(editor)).flatMap((node) =>
        "attribs" in node && node.name === "button" && node.attribs.value === "publish" ? [node.attribs] : [],
      );
      expect(buttons.length).toBeGreaterThan(0);
      for (const button of buttons) expect([button["data-now"], button["data-later"]]).toEqual([now, later]);
    }
  });

  test("of an import offers another file of the same kind, and says what helps with a file that is none", async () => {
    const { browser, page } = await start(service);
    const blog = "---\ntitle: One\ndate: 2020-01-01\n---\nText.";
    for (const [path, name, text, advice] of [
      ["/library/import", "links.csv", "url,title\nhttps://a.example/,A\n", en.library.importing.chooseOther],
      ["/write/import", "one.md", blog, en.blogImport.chooseOther],
    ] as const) {
      const upload = (name: string, text: string) => {
        const body = new FormData();
        body.set("file", new File([text], name));
        return browser(path, { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } });
      };
      const refused = await (await upload("other.json", "{}")).text();
      expect([path, refused.includes(advice.slice(0, 20))]).toEqual([path, true]);
      const key = (await upload(name, text)).headers.get("location") ?? "";
      let preview = "";
      await until("the file is read", async () => {
        preview = await page(key);
        return !preview.includes("<running-import>");
      });
      const ways: unknown[] = nodesOf(preview).flatMap((node) =>
        "attribs" in node &&
        /^button\b/.test(node.attribs.class ?? "") &&
        node.attribs.href?.endsWith("/import")
          ? [node.attribs.href]
          : [],
      );
      expect([path, ways.filter((way) => way !== path)]).toEqual([path, []]);
    }
  });

  test("shows each text of people in its own direction", async () => {
    const { request, page, make, link, publication } = await start(service);
    const id = await link("a", { unread: true });
    const post = await make("/api/posts/", { title: TEXT, content: TEXT, published: true });
    const draft = await make("/api/drafts/", { title: TEXT, content: TEXT, published: false });
    await publication(draft, { tags: [TEXT] });
    const json = { author: TEXT, text: TEXT };
    expect((await request(`/api/posts/${post}/comments/`, { method: "POST", json })).status).toBe(202);
    const pages = ["/", "/library", `/library/${id}`, "/library/tags", "/write", "/today", "/moderation"];
    for (const path of pages) {
      const texts = nodesOf(await page(path)).filter(
        (node) => node.type === "text" && node.data.includes(TEXT),
      );
      expect([path, texts.length]).not.toEqual([path, 0]);
      const wrong = texts.filter((text) => !ancestorsOf(text).some(isOfOwnDirection));
      expect([path, wrong.map((text) => "data" in text && text.data)]).toEqual([path, []]);
    }
  });
});

function ancestorsOf(node: Node): Element[] {
  const parent = node.parent;
  return parent === null || !("attribs" in parent) ? [] : [parent, ...ancestorsOf(parent)];
}

/** Whether a text in an element has its own direction, or is in a place where browsers choose it, or is only spoken. */
function isOfOwnDirection({ name, attribs }: Element): boolean {
  return (
    attribs.dir === "auto" ||
    // `.says` has it from the style sheet.
    /\b(?:unseen|says)\b/.test(attribs.class ?? "") ||
    ["bdi", "title", "textarea", "script", "option"].includes(name)
  );
}

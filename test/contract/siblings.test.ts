/** What holds for one of a kind holds for the others: another order, another kind of post, the second picture. */
import { expect, test } from "bun:test";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { insertPost } from "../../src/posts/post-store.ts";
import { saveSite } from "../../src/web/site/site-store.ts";
import { makeImage } from "../support/files/images.ts";
import { outlineOf } from "../support/pages/outline.ts";
import { nextOf } from "../support/pages/pages.ts";
import { makeAccount, makeSession, makeToken, withHeaders, withToken } from "../support/records/accounts.ts";
import { formsOf, submit } from "../support/requests/forms.ts";
import { expectErrors } from "../support/requests/problems.ts";
import { describeApp } from "../support/server/contract.ts";

/** Lists of bookmarks that continue from a cursor, each with an order of its own. */
const ORDERS = [
  "/bookmarks/?limit=1",
  "/bookmarks/?limit=1&sort=oldest",
  "/bookmarks/?limit=1&sort=title",
  "/bookmarks/?limit=1&q=page",
  "/bookmarks/?limit=1&q=page&sort=newest",
  "/bookmarks/?limit=1&q=page&sort=oldest",
  "/bookmarks/?limit=1&q=page&sort=title",
  "/bookmarks/search?limit=1&q=page",
  "/bookmarks/search?limit=1&sort=oldest",
  "/bookmarks/search?limit=1&sort=title",
  "/bookmarks/duplicates?limit=1",
] as const;

/** The order of a list: a search without one is by relevance, and the groups of duplicates have their own. */
function orderOf(path: string): string {
  const [, query = ""] = path.split("?");
  const parameters = new URLSearchParams(query);
  if (path.startsWith("/bookmarks/duplicates")) return "duplicates";
  const sort = parameters.get("sort") ?? (parameters.has("q") ? "relevance" : "newest");
  // The list of all has cursors of its own.
  return path.startsWith("/bookmarks/?") && !parameters.has("q") && sort === "newest" ? "all" : sort;
}

describeApp("A sibling", (service) => {
  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const app = await service.startApp({ POSTS_ACCESS: "read", BOOKMARKS_ACCESS: "open", ...settings });
    const account = await makeAccount(app.database, "ada");
    const editor = withToken(app.request, await makeToken(app.database, account));
    const browser = withHeaders(app.request, { cookie: await makeSession(app.database, account) });
    return { ...app, account, editor, browser };
  };

  test("a cursor belongs to its order: every other refuses it", async () => {
    const { database, request } = await start();
    for (const n of [1, 2, 3, 4])
      await database.write((sql) =>
        insertBookmark(
          sql,
          { title: `Page ${n}`, url: `http${n > 2 ? "" : "s"}://page-${n % 2}.example/`, description: "" },
          undefined,
          new Date(n * 1_000),
        ),
      );
    for (const from of ORDERS) {
      const cursor = new URLSearchParams(nextOf(await request(from))?.split("?")[1]).get("cursor");
      expect([from, cursor]).toEqual([from, expect.any(String)]);
      for (const to of ORDERS) {
        const response = await request(`${to}&cursor=${cursor}`);
        if (orderOf(to) === orderOf(from)) expect([from, to, response.status]).toEqual([from, to, 200]);
        else await expectErrors(response, { parameter: "cursor", code: "bad_cursor" });
      }
    }
  });

  test("a preview shows of each kind of post what its page shows", async () => {
    const { browser, editor, request } = await start();
    for (const details of [
      { kind: "post", summary: "In short." },
      { kind: "link", link: "https://linked.example/?a=1&b=2", tags: ["Fern"] },
      { kind: "page", language: "de" },
    ]) {
      const json = { title: `A ${details.kind}`, content: "Its text.\n\n## Part\n", published: true };
      const { id } = (await (await editor("/api/posts/", { method: "POST", json })).json()) as { id: number };
      await editor(`/api/posts/${id}/publication/`, { method: "PATCH", json: details });
      const { location = "" } = Object.fromEntries((await browser(`/write?post=${id}`)).headers);
      const key = /\/write\/([\w-]+)/.exec(location)?.[1];
      const [form] = formsOf(await (await browser(location)).text(), `/write/${key}`);
      const { fields = {}, action = "" } = form ?? {};
      expect((await submit(browser, action, { ...fields, action: "preview" })).status).toBe(303);
      const place = details.kind === "page" ? "/a-page" : `/posts/a-${details.kind}`;
      const shown = textOf(await (await request(place)).text());
      expect(shown).toContain("Its text.");
      expect(textOf(await (await browser(`/write/${key}/preview`)).text())).toBe(shown);
    }
  });

  test("the second logo is shown like the first, everywhere and at once", async () => {
    const { browser, request } = await start();
    const places = ["/", "/manifest.webmanifest", "/feed.atom", "/icon-192.png", "/favicon.ico"];
    const seen = new Map<string, string[]>();
    for (const noise of [37, 41, 43]) {
      const icon = await makeImage("png", { width: 300, height: 300, noise });
      const body = new FormData();
      for (const [name, value] of Object.entries(NO_SETTINGS)) body.append(name, value);
      body.append("icon", new File([icon as Uint8Array<ArrayBuffer>], "logo.png"));
      const saved = await browser("/settings", {
        ...{ method: "POST", body, headers: { "sec-fetch-site": "same-origin" } },
      });
      expect(saved.status).toBe(303);
      for (const place of places) {
        const [etag = ""] = seen.get(place)?.slice(-1) ?? [];
        const response = await request(place, { headers: { "if-none-match": etag } });
        expect([place, noise, response.status]).toEqual([place, noise, 200]);
        seen.set(place, [...(seen.get(place) ?? []), response.headers.get("etag") ?? ""]);
      }
    }
    for (const [place, etags] of seen) expect([place, new Set(etags).size]).toEqual([place, 3]);
  });

  test("each picture of the site has the type that its bytes are, with a logo and without one", async () => {
    const { browser, request } = await start();
    const typesAt = async () => {
      const types: Record<string, string> = {};
      for (const place of PICTURES) {
        const response = await request(place, { redirect: "manual" });
        if (response.status !== 200) continue;
        const bytes = await response.bytes();
        types[place] = `${response.headers.get("content-type")} ${typeOf(bytes)}`;
      }
      return types;
    };
    const png = "image/png png";
    const plain = {
      ...{ "/icon.svg": "image/svg+xml svg", "/favicon.ico": "image/vnd.microsoft.icon ico" },
      ...{
        "/icon-192.png": png,
        "/icon-512.png": png,
        "/icon-maskable.png": png,
        "/apple-touch-icon.png": png,
      },
    };
    expect(await typesAt()).toEqual(plain);
    const body = new FormData();
    for (const [name, value] of Object.entries(NO_SETTINGS)) body.append(name, value);
    const icon = await makeImage("webp", { width: 300, height: 300 });
    body.append("icon", new File([icon as Uint8Array<ArrayBuffer>], "logo"));
    await browser("/settings", { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } });
    // An SVG is led to a PNG.
    const { "/icon.svg": _, ...others } = plain;
    expect(await typesAt()).toEqual({ ...others, "/favicon.ico": png });
  });

  test("days are those of the site's zone on every page that says one", async () => {
    const { browser, database } = await start();
    await database.write((sql) => saveSite(sql, { timeZone: "Asia/Tokyo" }, new Date()));
    const late = new Date("2019-03-02T20:00:00Z");
    const link = { title: "Late", url: "https://late.example/", description: "" };
    const { id } = await database.write((sql) => insertBookmark(sql, link, undefined, late));
    await database.write((sql) =>
      insertPost(sql, { title: "Late post", content: "", published: true }, undefined, late),
    );
    for (const [path, day] of Object.entries({
      ...{ "/library": "Mar 3, 2019", "/library?q=late": "Mar 3, 2019" },
      ...{ [`/library/${id}`]: "March 3, 2019", [`/library/${id}/edit`]: "March 3, 2019" },
      ...{ "/find?q=https://late.example/": "You saved it on March 3, 2019" },
      "/": "Mar 3, 2019",
    })) {
      const html = (await (await browser(path)).text()).replaceAll("\u00a0", " ");
      expect([path, html.includes(day), /\bMar(?:ch)? 2\b/.test(html)]).toEqual([path, true, false]);
    }
  });
});

/** A form of settings without any choice. */
const NO_SETTINGS = { site_name: "S", description: "", language: "en", time_zone: "UTC", theme: "auto" };
const PICTURES = [
  ...["/icon.svg", "/favicon.ico", "/icon-192.png", "/icon-512.png", "/icon-maskable.png"],
  "/apple-touch-icon.png",
];

/** The type of an image by its first bytes. */
function typeOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  if (start.startsWith("\x89PNG")) return "png";
  if (start.startsWith("\0\0\x01\0")) return "ico";
  return start.includes("<svg") ? "svg" : "another";
}

/** The words and links of a post: of its article from the title to what follows it. */
function textOf(html: string): string {
  const outline = outlineOf(html);
  return /<h1 dir=auto>.*?(?=\nFollow|\n<nav)/s.exec(outline)?.[0] ?? "";
}

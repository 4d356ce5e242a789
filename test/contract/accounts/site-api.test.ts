import { expect, test } from "bun:test";
import type { ValidationCode } from "../../../src/errors.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import { describeApp } from "../../support/server/contract.ts";

const SITE = "/api/site/";
/** What a browser says of a request by a page of the site. */
const OWN_PAGE = { "sec-fetch-site": "same-origin" };
const UNSET = { BOOKMARKS_ACCESS: "auto" };

describeApp("The settings of the site over HTTP", (service) => {
  const start = async (settings: Record<string, string> = UNSET) => {
    const { request, database } = await service.startApp(settings);
    const account = await makeAccount(database, "ada");
    const owner = withToken(request, await makeToken(database, account));
    const inBrowser = withHeaders(request, { cookie: await makeSession(database, account) });
    return { request, database, account, owner, inBrowser };
  };
  const patch = (send: Send, json: unknown, headers = {}) => send(SITE, { method: "PATCH", json, headers });

  test("are the defaults at first, with an entity tag, and only for the scope account", async () => {
    const { request, database, account, owner } = await start();
    const response = await owner(SITE);
    expect(await response.json()).toEqual({
      name: "Commonplace",
      description: "",
      language: "en",
      time_zone: "UTC",
      look: { theme: "leaf", accent: "blue", text: "serif", front_page: "summaries", scheme: "auto" },
      menu: [],
      author_line: "",
      profiles: [],
      verifications: [],
      icon: null,
      cover: null,
      access: { bookmarks: null, comments: "accounts" },
    });
    const etag = response.headers.get("etag") ?? "";
    expect((await owner(SITE, { headers: { "if-none-match": etag } })).status).toBe(304);
    const reader = withToken(request, await makeToken(database, account, { scopes: ["posts:write"] }));
    expect([(await reader(SITE)).status, (await patch(reader, { name: "x" })).status]).toEqual([403, 403]);
    expect([(await request(SITE)).status, (await patch(request, { name: "x" })).status]).toEqual([401, 401]);
  });

  test("give nothing away by a token that does not have it itself", async () => {
    const { request, database, account, owner, inBrowser } = await start();
    const bookmarks = (value: string | null) => ({ access: { bookmarks: value } });
    const comments = (value: string) => ({ access: { comments: value } });
    /** From where to what, and the scopes without which a token may not. */
    const changes = [
      [bookmarks("private"), bookmarks("open"), ["bookmarks:read", "bookmarks:write"]],
      [bookmarks("read"), bookmarks("open"), ["bookmarks:read", "bookmarks:write"]],
      [bookmarks("private"), bookmarks("read"), ["bookmarks:read"]],
      [bookmarks("open"), bookmarks("private"), ["bookmarks:read"]],
      [bookmarks("open"), bookmarks(null), ["bookmarks:read"]],
      [comments("accounts"), comments("moderated"), ["posts:write"]],
      [comments("moderated"), comments("off"), ["posts:write"]],
    ] as const;
    for (const [from, to, needed] of changes) {
      for (const lacking of needed) {
        const scopes = ["account", ...needed.filter((scope) => scope !== lacking)] as const;
        const token = withToken(request, await makeToken(database, account, { scopes }));
        expect((await patch(owner, from)).status).toBe(200);
        const before = await (await owner(SITE)).text();
        for (const json of [to, { name: "Mine", ...to }]) {
          const refused = await patch(token, json);
          expect([to, refused.status]).toEqual([to, 403]);
          expect(refused.headers.get("www-authenticate")).toContain(lacking);
        }
        expect(await (await owner(SITE)).text()).toBe(before);
        // What is so already is not changed.
        expect((await patch(token, { name: "Margins", ...from })).status).toBe(200);
      }
      for (const send of [
        withToken(request, await makeToken(database, account, { scopes: ["account", ...needed] })),
        inBrowser,
      ]) {
        expect((await patch(owner, from)).status).toBe(200);
        expect(await (await patch(send, to, OWN_PAGE)).json()).toMatchObject(to);
      }
    }
  });

  test("change member by member, and readers and the settings page see it at once", async () => {
    const { request, owner, inBrowser } = await start();
    await request("/");
    const menu = [
      { text: "About me", url: "/about" },
      { text: "Elsewhere", url: "https://example.org/me?a=b" },
    ];
    const changed = await patch(owner, {
      name: "Margins",
      time_zone: "Europe/Vienna",
      menu,
      look: { accent: "green" },
    });
    const expected = {
      name: "Margins",
      description: "",
      time_zone: "Europe/Vienna",
      menu,
      look: { theme: "leaf", accent: "green", text: "serif", front_page: "summaries", scheme: "auto" },
    };
    expect(await changed.json()).toMatchObject(expected);
    expect(await (await owner(SITE)).json()).toMatchObject(expected);
    const html = await (await request("/")).text();
    for (const part of ["<title>Margins", "/look-leaf-green-serif-summaries.css", 'href="/about"'])
      expect(html).toContain(part);
    const form = await (await inBrowser("/settings/menu")).text();
    for (const part of ['value="About me"', 'value="https://example.org/me?a=b"'])
      expect(form).toContain(part);
    await submit(inBrowser, "/settings/look", {
      ...{ theme: "ink", accent: "red", text: "sans", front_page: "whole" },
    });
    expect(await (await owner(SITE)).json()).toMatchObject({
      name: "Margins",
      look: { theme: "ink", accent: "red", text: "sans", front_page: "whole" },
    });
  });

  test("keep what is read and sent again, byte for byte", async () => {
    const { owner } = await start();
    await patch(owner, { description: "Notes.", access: { bookmarks: "read", comments: "off" } });
    const before = await owner(SITE);
    const again = await patch(owner, await before.clone().json());
    expect([again.status, again.headers.get("etag")]).toEqual([200, before.headers.get("etag")]);
    expect(await again.text()).toBe(await before.text());
  });

  test("name the author at the end of posts, and the owner's pages elsewhere on the front page", async () => {
    const { request, owner } = await start();
    await owner("/api/posts/", { method: "POST", json: { title: "One", content: "x", published: true } });
    const [, page = ""] = /href="([^"]+)"[^>]*>\s*One</.exec(await (await request("/")).text()) ?? [];
    const me = 'https://example.org/"><b>@me';
    await patch(owner, {
      author_line: "<b>Ada</b> keeps bees.",
      profiles: [me, "https://social.example/@ada"],
    });
    const post = await (await request(page)).text();
    expect(post).toContain("&lt;b>Ada&lt;/b> keeps bees.");
    expect(post).not.toContain('rel="me"');
    await patch(owner, { verifications: [{ name: "google-site-verification", content: "a&b=1" }] });
    const front = await (await request("/")).text();
    expect(front).not.toContain("keeps bees");
    expect(front).toContain('<meta name="google-site-verification" content="a&amp;b=1"/>');
    for (const [name, content] of [
      ["viewport", "x"],
      ["google-site-verification", '"><script>'],
    ])
      expect((await patch(owner, { verifications: [{ name, content }] })).status).toBe(422);
    expect([...front.matchAll(/<link rel="me" href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      "https://example.org/%22%3E%3Cb%3E@me",
      "https://social.example/@ada",
    ]);
  });

  test("decide who may use the bookmarks, until the choice is taken back", async () => {
    const { request, owner } = await start();
    const status = async () => (await request("/bookmarks/")).status;
    expect(await status()).toBe(401);
    await patch(owner, { access: { bookmarks: "read" } });
    expect(await status()).toBe(200);
    const reset = await patch(owner, { access: { bookmarks: null } });
    expect(await reset.json()).toMatchObject({ access: { bookmarks: null } });
    expect(await status()).toBe(401);
  });

  test("are not changed where the server's settings fix them", async () => {
    const { request, owner } = await start({ BOOKMARKS_ACCESS: "private", COMMENTS: "open" });
    expect(await (await owner(SITE)).json()).toMatchObject({
      access: { bookmarks: "private", comments: "open" },
    });
    const refused = await patch(owner, { name: "x", access: { bookmarks: "open", comments: "off" } });
    await expectErrors(
      refused,
      { pointer: "/access/bookmarks", code: "unexpected" },
      { pointer: "/access/comments", code: "unexpected" },
    );
    const said = await (await patch(owner, { access: { bookmarks: "open", comments: "off" } })).text();
    for (const setting of ["BOOKMARKS_ACCESS", "COMMENTS"])
      expect(said).toMatch(new RegExp(`\\b${setting}\\b`));
    expect((await patch(owner, { access: { bookmarks: "private", comments: "open" } })).status).toBe(200);
    expect((await request("/bookmarks/")).status).toBe(401);
    expect(await (await owner(SITE)).json()).toMatchObject({ name: "Commonplace" });
  });

  test("change only from the version that the client has seen", async () => {
    const { owner } = await start();
    const etag = (await owner(SITE)).headers.get("etag") ?? "";
    const first = await patch(owner, { name: "One" }, { "if-match": etag });
    expect(first.headers.get("etag")).toBe((await owner(SITE)).headers.get("etag"));
    await expectProblem(await patch(owner, { name: "Two" }, { "if-match": etag }), 412);
    expect(await (await owner(SITE)).json()).toMatchObject({ name: "One" });
  });

  test("refuse what the settings page refuses, with all errors at once, and store nothing of it", async () => {
    const { owner } = await start();
    const entry = { text: "x", url: "/" };
    const wrong: readonly (readonly [unknown, string, ValidationCode])[] = [
      [{ name: "" }, "/name", "too_short"],
      [{ name: null }, "/name", "wrong_type"],
      [{ name: " \n" }, "/name", "unknown_value"],
      [{ name: "x".repeat(81) }, "/name", "too_long"],
      [{ description: "x".repeat(501) }, "/description", "too_long"],
      [{ description: "\0" }, "/description", "bad_character"],
      [{ language: "not a language" }, "/language", "unknown_value"],
      [{ time_zone: "Mars/Olympus" }, "/time_zone", "unknown_value"],
      [{ look: { theme: "constructor" } }, "/look/theme", "unknown_value"],
      [{ look: { accent: "#f00" } }, "/look/accent", "unknown_value"],
      [{ look: [] }, "/look", "wrong_type"],
      [{ menu: [{ ...entry, url: "javascript:alert(1)" }] }, "/menu/0/url", "unknown_value"],
      [{ menu: [{ ...entry, url: "//evil.example/" }] }, "/menu/0/url", "unknown_value"],
      [{ menu: [{ ...entry, url: "/\\evil.example/" }] }, "/menu/0/url", "unknown_value"],
      [{ menu: [{ ...entry, url: "/a b" }] }, "/menu/0/url", "unknown_value"],
      [{ menu: [entry, { ...entry, text: "two\nlines" }] }, "/menu/1/text", "unknown_value"],
      [{ menu: [{ ...entry, text: " " }] }, "/menu/0/text", "unknown_value"],
      [{ menu: [{ ...entry, text: "x".repeat(4_999) }] }, "/menu", "too_long"],
      [{ author_line: "x".repeat(301) }, "/author_line", "too_long"],
      [{ profiles: ["javascript:alert(1)"] }, "/profiles/0", "unknown_value"],
      [{ profiles: ["/about"] }, "/profiles/0", "unknown_value"],
      [{ profiles: Array(21).fill("https://example.org/") }, "/profiles", "out_of_range"],
      [{ access: { bookmarks: "everyone" } }, "/access/bookmarks", "unknown_value"],
      [{ access: { comments: "open" } }, "/access/comments", "unknown_value"],
    ];
    expect(await (await patch(owner, { access: { comments: "open" } })).text()).toContain("with COMMENTS.");
    const before = await (await owner(SITE)).text();
    for (const [json, pointer, code] of wrong)
      await expectErrors(await patch(owner, json), { pointer, code });
    await expectErrors(
      await patch(owner, { name: "", look: { text: "x" } }),
      { pointer: "/name", code: "too_short" },
      { pointer: "/look/text", code: "unknown_value" },
    );
    expect(await (await owner(SITE)).text()).toBe(before);
  });
});

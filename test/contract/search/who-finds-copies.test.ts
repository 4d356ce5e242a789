import { expect, test } from "bun:test";
import type { Account } from "../../../src/accounts/account.ts";
import type { Scope } from "../../../src/accounts/scope.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { makeMark } from "../../support/records/marks.ts";
import { submit } from "../../support/requests/forms.ts";
import type { Send } from "../../support/requests/send.ts";
import { describeApp } from "../../support/server/contract.ts";

/** What only those may ask who may read copies. */
const OF_COPIES = [
  ...["page:river", "-page:river", "a page:river", "has:copy", "-has:copy", "(a has:copy)"],
  ...["has:mark", "-has:mark", "a HAS:mark"],
];

describeApp("Words inside copies", (service) => {
  async function start(settings: Readonly<Record<string, string>> = {}, { isEmpty = false } = {}) {
    const app = await service.startApp({ FETCH_PAGES: "off", ...settings });
    const { database } = app;
    const account = isEmpty ? undefined : await makeAccount(database, "ada");
    const token = async (by: Account, scope: Scope) =>
      withToken(app.request, await makeToken(database, by, { scopes: [scope] }));
    const callers: Record<string, Send> = {
      anonymous: app.request,
      ...(account && {
        reader: await token(account, "bookmarks:read"),
        writer: await token(account, "bookmarks:write"),
        other: await token(account, "posts:read"),
        person: withHeaders(app.request, { cookie: await makeSession(database, account) }),
      }),
    };
    const save = async (title: string, words?: string) => {
      const json = { title, url: "https://example.com/", description: "" };
      const owner = callers.person ?? app.request;
      const response = await owner("/bookmarks/", { method: "POST", json });
      const { id } = (await response.json()) as { id: number };
      if (words !== undefined) await makeCopy(database, id, words);
      return id;
    };
    const own = await save("The river");
    const inside = await save("Something else", "A deep river, in a page.");
    return { ...app, callers, own, inside };
  }

  const idsOf = async (response: Response) =>
    ((await response.json()) as { id: number }[]).map(({ id }) => id);
  const first = async (response: Response) => {
    const { errors } = (await response.json()) as { errors: Record<string, unknown>[] };
    return { status: response.status, ...errors[0] };
  };

  test.each([
    ["open bookmarks", { BOOKMARKS_ACCESS: "open" }, false, ["reader", "person"]],
    ["bookmarks that anyone may read", { BOOKMARKS_ACCESS: "read" }, false, ["reader", "person"]],
    ["bookmarks without any account", {}, true, ["anonymous"]],
    ["published bookmarks without any account", { PUBLIC_URL: "https://example.com" }, true, []],
  ] as const)(
    "of %s are for accounts, and tokens that may read bookmarks",
    async (_, settings, isEmpty, readers) => {
      const { callers, own, inside } = await start(settings, { isEmpty });
      const found: string[] = [];
      for (const [name, send] of Object.entries(callers)) {
        const response = await send("/bookmarks/?q=river");
        expect([name, response.status]).toEqual([name, 200]);
        const mayRead = (await idsOf(response)).includes(inside);
        if (mayRead) found.push(name);
        expect([name, response.headers.get("search-matches")]).toEqual([name, mayRead ? "2" : "1"]);
        const caching = response.headers.get("cache-control") ?? "";
        expect([name, caching.includes("private")]).toEqual([name, mayRead]);
        for (const q of OF_COPIES) {
          const what = q.endsWith(":mark") ? "marks" : "copies of pages";
          const at = {
            ...{ code: "no_copies", position: q.search(/page:|has:/i) },
            detail: expect.stringContaining(`asks for ${what}, which`),
          };
          const asked = `?q=${encodeURIComponent(q)}`;
          for (const path of ["/bookmarks/", "/bookmarks/search"]) {
            const answer = await send(path + asked);
            if (mayRead) expect([name, q, answer.status]).toEqual([name, q, 200]);
            else
              expect([name, await first(answer)]).toMatchObject([
                name,
                { status: 422, parameter: "q", ...at },
              ]);
          }
          const page = await (await send(`/library${asked}`)).text();
          expect([name, q, page.includes("Sign in to search inside copies")]).toEqual([
            name,
            q,
            !pageReads(name, mayRead),
          ]);
        }
        for (const q of ["is:unread", "-is:archived"])
          expect((await send(`/bookmarks/?q=${q}`)).status).toBe(200);
        const results = (await (await send("/bookmarks/search?q=river")).json()) as Results;
        expect([name, results.results.map(({ bookmark }) => bookmark.id)]).toEqual([
          name,
          mayRead ? [own, inside] : [own],
        ]);
      }
      expect(found).toEqual([...readers]);
    },
  );

  /** On pages, tokens do not count. */
  const pageReads = (name: string, mayRead: boolean) => mayRead && name !== "reader";

  test("are not in the cached answer of another reader, nor under its entity tag", async () => {
    const { callers, own, inside } = await start({ BOOKMARKS_ACCESS: "open" });
    const path = "/bookmarks/?q=river";
    const tags: string[] = [];
    for (const name of ["reader", "anonymous", "reader", "anonymous"]) {
      const response = await (callers[name] as Send)(path);
      tags.push(response.headers.get("etag") ?? "");
      expect(await idsOf(response)).toEqual(name === "reader" ? [own, inside] : [own]);
    }
    expect(tags.slice(2)).toEqual(tags.slice(0, 2));
    expect(tags[0]).not.toBe(tags[1]);
    const headers = { "if-none-match": tags[0] ?? "" };
    expect((await (callers.reader as Send)(path, { headers })).status).toBe(304);
    expect((await (callers.anonymous as Send)(path, { headers })).status).toBe(200);
  });

  test("are shown with their sentence, in the API and in the library", async () => {
    const { callers, own, inside } = await start({ BOOKMARKS_ACCESS: "private" });
    const ask = async (q: string, sort = "relevance") =>
      (await (
        await (callers.reader as Send)(`/bookmarks/search?q=${encodeURIComponent(q)}&sort=${sort}`)
      ).json()) as Results;
    const sentence = { text: "A deep river, in a page.", highlights: [{ start: 7, end: 12 }] };
    for (const sort of ["relevance", "oldest"]) {
      const { results, matches } = await ask("river", sort);
      expect(matches).toBe(2);
      expect(results.map((one) => [one.bookmark.id, one.inside, one.highlights.length])).toEqual([
        [own, null, 1],
        [inside, sentence, 0],
      ]);
    }
    expect((await ask("page:river something")).results).toMatchObject([
      { inside: sentence, highlights: [{ field: "title" }] },
    ]);
    expect((await ask("has:copy")).results).toMatchObject([{ inside: null }]);
    const page = await (await (callers.person as Send)("/library?q=river")).text();
    expect(page).toContain("A deep <mark>river</mark>, in a page.");
    expect(await (await (callers.person as Send)("/library?q=else")).text()).not.toContain("in a page.");
  });

  test("of marks are shown for those who may read copies, too, with the sentence of a note", async () => {
    const { callers, database, own } = await start({ BOOKMARKS_ACCESS: "open" });
    await makeMark(database, own, "of the long river", { note: "It means the Nile.\nAsk Anna." });
    const ask = async (name: string, q: string) =>
      (await (await (callers[name] as Send)(`/bookmarks/search?q=${q}`)).json()) as Results;
    expect(await ask("anonymous", "nile")).toMatchObject({ matches: 0, results: [] });
    expect((await ask("reader", "nile")).results).toMatchObject([
      {
        bookmark: { id: own },
        inside: {
          text: "It means the Nile. Ask Anna. · of the long river",
          highlights: [{ start: 13, end: 17 }],
        },
      },
    ]);
    expect((await ask("reader", "has:mark")).results.map(({ bookmark }) => bookmark.id)).toEqual([own]);
    const page = await (await (callers.person as Send)("/library?q=nile")).text();
    expect(page).toContain("It means the <mark>Nile</mark>.");
    expect(await (await callers.anonymous?.("/library?q=nile"))?.text()).not.toContain("It means");
    expect(await (await callers.person?.("/library.atom?q=nile"))?.text()).not.toContain("The river");
  });

  test("select what a change of many changes, as they are listed", async () => {
    const { callers } = await start({ BOOKMARKS_ACCESS: "open" });
    const change = async (send: Send | undefined, q: string) => {
      const json = { select: { q }, add_tags: ["x"] };
      return send?.("/bookmarks/bulk?dry_run=true", { method: "POST", json }) as Promise<Response>;
    };
    expect(await (await change(callers.person, "river")).json()).toMatchObject({ matched: 2 });
    expect(await (await change(callers.anonymous, "river")).json()).toMatchObject({ matched: 1 });
    expect(await first(await change(callers.anonymous, "a -page:b"))).toMatchObject({
      ...{ status: 422, pointer: "/select/q", code: "no_copies", position: 3 },
    });
  });

  test("are never shared, nor found in a shared list or a feed", async () => {
    const { callers, request } = await start({ BOOKMARKS_ACCESS: "private" });
    const person = callers.person as Send;
    for (const q of OF_COPIES) {
      const json = { q, title: "For Anna" };
      expect(await first(await person("/api/shares/", { method: "POST", json }))).toMatchObject({
        ...{ status: 422, pointer: "/q", code: "no_copies" },
      });
      expect([q, (await person(`/library.atom?q=${encodeURIComponent(q)}`)).status]).toEqual([q, 422]);
      expect([q, (await submit(person, "/library/feeds", { q })).status]).toEqual([q, 422]);
    }
    const feed = await (await person("/library.atom?q=river")).text();
    expect(feed).toContain("The river");
    expect(feed).not.toContain("Something else");
    const shared = await person("/api/shares/", { method: "POST", json: { q: "river", title: "For Anna" } });
    const { url } = (await shared.json()) as { url: string };
    for (const form of ["", "/feed.atom", "/feed.json"]) {
      const text = await (await request(new URL(url).pathname + form)).text();
      expect(text).toContain("The river");
      expect(text).not.toContain("Something else");
    }
  });
});

interface Results {
  readonly matches: number;
  readonly results: readonly {
    readonly bookmark: { readonly id: number };
    readonly highlights: readonly object[];
    readonly inside: object | null;
  }[];
}

import { expect, test } from "bun:test";
import { removeBookmarks } from "../../../src/bookmarks/bulk/change-many.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { makeMark } from "../../support/records/marks.ts";
import { describeApp } from "../../support/server/contract.ts";

const DAY = 24 * 60 * 60 * 1_000;
const START = Date.parse("2026-11-20T10:00:00.000Z");

interface Listed {
  readonly id: number;
  readonly quote: string;
}

/** What queries find, by the numbers of the marks below. */
const FOUND: readonly (readonly [q: string, wanted: number[]])[] = [
  // In the note, the quote, or the title of the bookmark.
  ["delta", [2]],
  ["flows", [1, 0]],
  ["river", [3, 2, 0]],
  ["begins hills delta", [2]],
  ["delta OR nothing", [2, 1]],
  ['"at last"', [3]],
  ["delt*", [2]],
  // What is asked of the bookmark.
  ["#water", [2, 0]],
  ["flows #water", [0]],
  ["flows -#water", [1]],
  ["river -sea", [3, 2]],
  ["river -title:sea", [3, 2, 0]],
  ["title:river", [2, 0]],
  ["title:river flows", [0]],
  ["site:example.com hills", [2]],
  ["https://example.com/The%20river", [2, 0]],
  ["has:mark flows", [1, 0]],
  ["-has:mark", []],
  ["has:copy", [3, 1]],
  ["page:lighthouse", [3, 1]],
  ["flows page:lighthouse", [1]],
  // The copy alone has the word.
  ["lighthouse", []],
  ["lighthouse flows", []],
  ["nowhere", []],
  ["&", []],
];

describeApp("GET /api/marks/", (service) => {
  async function start() {
    const { database, request } = await service.startApp({ FETCH_PAGES: "off" });
    const account = await makeAccount(database, "ada");
    const scopes = ["bookmarks:read", "bookmarks:write"] as const;
    const send = withToken(request, await makeToken(database, account, { scopes }));
    const save = async (title: string, description = "") => {
      const json = { title, url: `https://example.com/${encodeURIComponent(title)}`, description };
      const response = await send("/bookmarks/", { method: "POST", json });
      return ((await response.json()) as { id: number }).id;
    };
    const river = await save("The river", "#water");
    const other = await save("Another page");
    const marks = [
      { of: river, quote: "It flows to the sea.", note: "Which one?", position: 90 },
      { of: other, quote: "Nothing flows here.", note: "" },
      { of: river, quote: "It begins in the hills.", note: "A delta, too.", position: 10 },
      { of: other, quote: "A river at last", note: "" },
    ];
    const ids: number[] = [];
    for (const [index, { of, quote, ...more }] of marks.entries())
      ids.push((await makeMark(database, of, quote, { ...more, at: new Date(START + index * DAY) })).id);
    const get = (query = "") => send(`/api/marks/${query}`);
    /** The quotes that are found, by their numbers above. */
    const found = async (query = "") => {
      const response = await get(query);
      expect(response.status).toBe(200);
      return ((await response.json()) as Listed[]).map(({ id }) => ids.indexOf(id));
    };
    return { database, request, send, river, other, ids, get, found };
  }

  test("has all marks, newest first, each with its bookmark", async () => {
    const { get, river, ids } = await start();
    const response = await get();
    expect([response.headers.get("x-total-count"), response.headers.get("cache-control")]).toEqual([
      "4",
      "private, no-store, no-transform",
    ]);
    const marks = (await response.json()) as Listed[];
    expect(marks.map(({ id }) => ids.indexOf(id))).toEqual([3, 2, 1, 0]);
    expect(marks[1]).toEqual({
      ...{ id: ids[2], quote: "It begins in the hills.", prefix: "", suffix: "", position: 10 },
      ...{ note: "A delta, too.", created_at: "2026-11-22T10:00:00.000Z" },
      bookmark: { id: river, title: "The river", url: "https://example.com/The%20river" },
    } as never);
  });

  test("is read in pages, each with a Link to the next one, also where marks are of one moment", async () => {
    const { database, get, found, river, ids } = await start();
    ids.push((await makeMark(database, river, "At the same time", { at: new Date(START) })).id);
    const pages: number[][] = [];
    for (let next: string | undefined = "?limit=2"; next !== undefined; ) {
      pages.push(await found(next));
      next = /[^/]*(?=>; rel="next")/.exec((await get(next)).headers.get("link") ?? "")?.[0];
    }
    expect(pages).toEqual([[3, 2], [1, 4], [0]]);
    for (const query of ["?limit=0", "?limit=201", "?cursor=x", "?format=html", "?q=%22"])
      expect([query, (await get(query)).status]).toEqual([query, 422]);
  });

  test("with q has those that have the words themselves", async () => {
    const { database, found, other } = await start();
    await makeCopy(database, other, "A lighthouse by the river");
    for (const [q, wanted] of FOUND) {
      expect([q, await found(`?q=${encodeURIComponent(q)}`)]).toEqual([q, wanted]);
      expect([q, await found(`?limit=1&q=${encodeURIComponent(q)}`)]).toEqual([q, wanted.slice(0, 1)]);
    }
  });

  test("has an entity tag, which changes with the marks and their bookmarks", async () => {
    const { database, get, send, river } = await start();
    const tagOf = async (query: string) => (await get(query)).headers.get("etag") ?? "";
    for (const query of ["", "?q=river"]) {
      const tags = [await tagOf(query)];
      const headers = { "if-none-match": tags[0] ?? "" };
      expect((await send(`/api/marks/${query}`, { headers })).status).toBe(304);
      await makeMark(database, river, "one more");
      tags.push(await tagOf(query));
      await send(`/bookmarks/${river}`, { method: "PATCH", json: { title: `The river ${query.length}` } });
      tags.push(await tagOf(query));
      expect(new Set(tags).size).toBe(3);
      expect((await send(`/api/marks/${query}`, { headers })).status).toBe(200);
    }
  });

  test("has no marks of a bookmark that was removed", async () => {
    const { database, get, found, river } = await start();
    await removeBookmarks(database, [river], undefined, new Date());
    expect(await found()).toEqual([3, 1]);
    expect(await found("?q=flows")).toEqual([1]);
    expect((await get()).headers.get("x-total-count")).toBe("2");
    expect(await (await get("?format=markdown")).text()).not.toContain("The river");
  });

  test("is for those who may read copies", async () => {
    const open = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    expect((await open.request("/api/marks/")).status).toBe(200);
    const account = await makeAccount(open.database, "ada");
    expect((await open.request("/api/marks/")).status).toBe(401);
    const other = await makeToken(open.database, account, { scopes: ["posts:read"] });
    expect((await withToken(open.request, other)("/api/marks/?format=markdown")).status).toBe(403);
  });

  test("?format=markdown gives all of them as a file: by link, in the order of the text", async () => {
    const { get } = await start();
    const response = await get("?format=markdown&limit=1");
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="marks.md"');
    expect(await response.text()).toBe(`# Marks

## Another page

<https://example.com/Another%20page>

> Nothing flows here.

2026-11-21

> A river at last

2026-11-23

## The river

<https://example.com/The%20river>

> It begins in the hills.

A delta, too.

2026-11-22

> It flows to the sea.

Which one?

2026-11-20
`);
    expect(await (await get("?format=markdown&q=hills")).text()).toBe(`# Marks

## The river

<https://example.com/The%20river>

> It begins in the hills.

A delta, too.

2026-11-22
`);
    expect(await (await get("?format=markdown&q=nowhere")).text()).toBe("# Marks\n");
  });
});

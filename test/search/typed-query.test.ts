import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { parseTypedQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { SORTS } from "../../src/search/search-position.ts";
import { startApp } from "../support/server/app.ts";
import { engines } from "../support/server/engines.ts";

const { vocabulary } = indexedBookmarks;

/** From the oldest to the newest. */
const TITLES = [
  "smart",
  "A smartphone",
  "smart houses",
  "Smartphones of 2019",
  "deep smart",
  "phone",
  "smartphone deep",
];

describe.each(engines)("A word half typed ($name)", (engine) => {
  const toEnd = new AsyncDisposableStack();
  let database: Database;
  let search: Search;
  let url = "";
  beforeAll(async () => {
    url = toEnd.use(await engine.createDatabase()).url;
    database = await openDatabase(url);
    toEnd.defer(() => database.close());
    await writeBookmarks(database, new Date(), (writer) =>
      writer.insertMany(
        TITLES.map((title, index) => ({
          title,
          url: `https://example.com/${index}`,
          description: "",
          createdAt: new Date(1_000 * (index + 1)),
        })),
      ),
    );
    search = new Search(database, indexedBookmarks);
  });
  afterAll(() => toEnd.disposeAsync());

  async function found(
    text: string,
    limit = 50,
    sort: (typeof SORTS)[number] = "relevance",
  ): Promise<number[]> {
    const ids: number[] = [];
    const query = parseTypedQuery(text, vocabulary);
    for await (const batch of search.batches({ query, sort, limit })) ids.push(...batch);
    return ids;
  }

  test.each([
    ["smart", [5, 3, 1, 7, 4, 2]],
    ["smartp", [7, 4, 2]],
    ["smart ", [5, 3, 1]],
    ['"smart"', [5, 3, 1]],
    ["deep smart", [5, 7]],
    ["title:smartp", [7, 4, 2]],
    ["smart OR phon", [5, 3, 1, 6]],
    ["s", []],
    ["smart -phon", [5, 3, 1]],
    ["NOT smart", [7, 6, 4, 2]],
    ["smart NOT", undefined],
  ] as const)("%p finds its records, those with the whole word first", async (text, ids) => {
    if (ids === undefined) return expect(found(text)).rejects.toThrow();
    expect(await found(text)).toEqual([...ids]);
    const query = parseTypedQuery(text, vocabulary);
    const { count } = await search.pageAndCount({ query, sort: "relevance", limit: 2 });
    expect(count).toEqual({ matches: ids.length, more: false });
  });

  test("its pages make the same list, in every order", async () => {
    for (const sort of SORTS)
      for (const limit of [1, 2, 3, 5])
        expect(await found("smart", limit, sort)).toEqual(await found("smart", 50, sort));
    expect(await found("smart", 2, "oldest")).toEqual([1, 2, 3, 4, 5, 7]);
  });

  test("finds on pages, and not in the API", async () => {
    const app = await startApp({ DATABASE_URL: url, BOOKMARKS_ACCESS: "open" });
    toEnd.defer(() => app.close());
    const page = await (await app.request("/library?q=smartp", { headers: { accept: "text/html" } })).text();
    expect(page).toContain("of 2019");
    expect(page.match(/<mark>/g)?.length).toBe(3);
    expect(await (await app.request("/bookmarks/?q=smartp")).json()).toEqual([]);
  });
});

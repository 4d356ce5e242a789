import { afterAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { engines } from "../support/server/engines.ts";

/** What SQLite says of a damaged index (SQLITE_CORRUPT_VTAB). */
const DAMAGED = Object.assign(new Error("database disk image is malformed"), { errcode: 267 });

/** So many that a search does not wait for all of them. */
const MANY = 2_000;

describe.each(engines)("An index that two processes find damaged ($name)", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  test("is rebuilt by one of them, and not again by the other one, which had also found it damaged", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const [one, other] = [await openProcess(url), await openProcess(url)];
    await one.save("river");
    expect([await one.find("river"), await other.find("river")]).toEqual([1, 1]);
    const { generation } = other.indexer;
    await one.database.write((sql) => sql`drop table search_bookmarks_tag_counts`);

    expect(await one.indexer.mend(DAMAGED, generation)).toBe(true);
    await one.indexer.finish(indexedBookmarks);
    expect(await other.indexer.mend(DAMAGED, generation)).toBe(true);
    expect([one.indexer.mends, other.indexer.mends]).toEqual([1, 0]);
    expect(await other.indexer.behindIn(indexedBookmarks)).toBe(0);
    expect(await other.find("river")).toBe(1);
  });

  test("is searched again if another process recreated it after the search had waited for it", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const [one, other] = [await openProcess(url), await openProcess(url)];
    await one.save("river");
    expect(await one.find("river")).toBe(1);
    expect(await one.find("river", () => other.indexer.rebuild({ anew: true }))).toBe(1);
  });

  test("is searched with the number of missing records if the rebuild takes longer", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const [one, other] = [await openProcess(url), await openProcess(url)];
    await one.save(...Array.from({ length: MANY }, () => "river"));
    await other.indexer.finish(indexedBookmarks);
    expect(await one.search.following(async ({ behind }) => behind)).toBe(0);
    let isRecreated = false;
    const { behind, matches } = await one.search.following(async ({ behind }) => {
      if (!isRecreated) await other.indexer.rebuild({ anew: true });
      isRecreated = true;
      const { matches } = await one.search.count(
        { query: parseQuery("river", indexedBookmarks.vocabulary) },
        MANY,
      );
      return { behind, matches };
    });
    expect(behind).toBeGreaterThan(0);
    expect(matches + behind).toBe(MANY);
  });

  async function openProcess(url: string) {
    const database = await openDatabase(url);
    toEnd.defer(() => database.close());
    const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
    const search = new Search(database, indexer, indexedBookmarks);
    return {
      database,
      indexer,
      search,
      async save(...titles: string[]) {
        const createdAt = new Date();
        const bookmarks = titles.map((title) => ({
          title,
          url: "https://example.com/",
          description: "",
          createdAt,
        }));
        await writeBookmarks(database, createdAt, (writer) => writer.insertMany(bookmarks));
      },
      find(word: string, beforeSearch = async () => {}) {
        const query = parseQuery(word, indexedBookmarks.vocabulary);
        let tries = 0;
        return search.following(async () => {
          if (tries++ === 0) await beforeSearch();
          return (await search.page({ query, sort: "relevance", limit: 5 })).ids.length;
        });
      },
    };
  }
});

import { afterAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { engines } from "../support/engines.ts";

/** What SQLite says of a damaged index (SQLITE_CORRUPT_VTAB). */
const DAMAGED = Object.assign(new Error("database disk image is malformed"), { errcode: 267 });

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

  test("is searched when it is rebuilt, even if it was dropped just before the search", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const { save, find, indexer } = await openProcess(url);
    await save("river");
    expect(await find("river")).toBe(1);
    expect(await find("river", () => indexer.rebuild({ anew: true }))).toBe(1);
  });

  async function openProcess(url: string) {
    const database = await openDatabase(url);
    toEnd.defer(() => database.close());
    const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
    const search = new Search(database, indexer, indexedBookmarks);
    return {
      database,
      indexer,
      async save(title: string) {
        const bookmark = { title, url: "https://example.com/", description: "", createdAt: new Date() };
        await writeBookmarks(database, new Date(), (writer) => writer.insertMany([bookmark]));
      },
      async find(word: string, beforeSearch = async () => {}) {
        await search.caughtUp();
        await beforeSearch();
        const query = parseQuery(word, indexedBookmarks.vocabulary);
        return (await search.page({ query, sort: "relevance", limit: 5 })).ids.length;
      },
    };
  }
});

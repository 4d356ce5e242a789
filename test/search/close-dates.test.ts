import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { INDEX_TABLES } from "../../src/search/collection.ts";
import { indexStores } from "../../src/search/index/index-stores.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { engines } from "../support/server/engines.ts";

const NOON = Date.UTC(2024, 5, 1, 12);

/** Minutes and milliseconds after noon, of bookmarks that are added together: no step leaves room for the next. */
const ROUNDS: readonly (readonly number[])[] = [
  [-60_000, 60_000],
  Array.from({ length: 1_300 }, () => 0),
  // Before, among and after those of noon, in any order.
  ...fc.sample(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 150, maxLength: 150 }), {
    numRuns: 4,
    seed: 7,
  }),
  Array.from({ length: 300 }, (_, index) => -index),
  Array.from({ length: 300 }, () => -1),
];

describe.each(engines)("On $name", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  test("bookmarks of the same moment are found in their order, whichever is indexed first", async () => {
    const database = await openDatabase(toEnd.use(await engine.createDatabase()).url);
    toEnd.defer(() => database.close());
    const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
    const search = new Search(database, indexer, indexedBookmarks);
    const query = parseQuery("river", indexedBookmarks.vocabulary);
    const made: { id: number; time: number }[] = [];
    for (const [round, times] of ROUNDS.entries()) {
      made.push(...(await add(database, round, times)));
      await indexer.finish(indexedBookmarks);
      const found: number[] = [];
      for await (const ids of search.batches({ query, sort: "newest", limit: 500 })) found.push(...ids);
      const [site] = await database.read<{ n: number }>`
        select records as n from search_bookmarks_sites where host = 'example.com'`;
      expect(Number(site?.n)).toBe(made.length);
      expect(found).toEqual(made.toSorted((a, b) => b.time - a.time || b.id - a.id).map(({ id }) => id));
      expect(
        await indexStores[engine.name === "SQLite" ? "sqlite" : "postgres"].faults(
          database.read,
          INDEX_TABLES.bookmarks,
        ),
      ).toEqual([]);
    }
  }, 120_000);
});

async function add(database: Database, round: number, times: readonly number[]) {
  const ids = await writeBookmarks(database, new Date(), (writer) =>
    writer.insertMany(
      times.map((time, index) => ({
        title: "River",
        url: `https://example.com/${round}/${index}`,
        description: "",
        createdAt: new Date(NOON + time),
      })),
    ),
  );
  return times.map((time, index) => ({ id: ids.get(`https://example.com/${round}/${index}`) ?? 0, time }));
}

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { INDEX_LOCK } from "../../src/search/index/postgres-index.ts";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { until } from "../support/machine/until.ts";

describe("While another process indexes, a search on PostgreSQL", () => {
  const toEnd = new AsyncDisposableStack();
  let database: Database;
  let indexer: Indexer;
  let finishOther: () => Promise<void>;

  beforeAll(async () => {
    const { url } = toEnd.use(await createDatabase(await sharedCluster()));
    database = toEnd.adopt(await openDatabase(url), (opened) => opened.close());
    indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
    await indexer.finish(indexedBookmarks);
  });
  afterAll(() => toEnd.disposeAsync());

  /** Takes the indexing lock, as if another process were indexing, and then saves a bookmark. */
  async function saveWhileOtherIndexes(title: string): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const step = database.derive(async (sql) => {
      await sql`select pg_advisory_xact_lock(${INDEX_LOCK})`;
      begun.resolve();
      await end.promise;
    });
    finishOther = () => {
      end.resolve();
      return step;
    };
    await begun.promise;
    const bookmark = { title, url: "https://example.com/", description: "", createdAt: new Date() };
    await writeBookmarks(database, new Date(), (writer) => writer.insertMany([bookmark]));
  }

  test("waits in the database, and goes on at once when the other has finished", async () => {
    await saveWhileOtherIndexes("river");
    const waiting = indexer.catchUp(indexedBookmarks);
    await until("the search waits for the lock", async () => {
      const locks = await database.read`
        select 1 from pg_locks join pg_database on pg_database.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`;
      return locks.length > 0;
    });
    await finishOther();
    expect(await waiting).toMatchObject({ behind: 0 });
  });

  test("gives up after a while, and says how many records are missing", async () => {
    await saveWhileOtherIndexes("sea");
    expect(await indexer.catchUp(indexedBookmarks)).toMatchObject({ behind: 1 });
    await finishOther();
    expect(await indexer.catchUp(indexedBookmarks)).toMatchObject({ behind: 0 });
  });
});

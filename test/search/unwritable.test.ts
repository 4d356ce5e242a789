import { afterAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { engines } from "../support/server/engines.ts";

describe.each(engines)(
  "While the index cannot be written, as in a database that was moved ($name)",
  (engine) => {
    const toEnd = new AsyncDisposableStack();
    afterAll(() => toEnd.disposeAsync());

    test("searches find what is indexed, and say how many records are not", async () => {
      const { url } = toEnd.use(await engine.createDatabase());
      const database = await openDatabase(url);
      toEnd.defer(() => database.close());
      const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
      const search = new Search(database, indexer, indexedBookmarks);
      const find = () =>
        search.following(async ({ behind }) => {
          const query = parseQuery("river", indexedBookmarks.vocabulary);
          return { ...(await search.count({ query })), behind };
        });

      await save(database, "The first river");
      expect(await find()).toEqual({ matches: 1, more: false, behind: 0 });
      await seal(database);
      await save(database, "The second river");
      expect(await find()).toEqual({ matches: 1, more: false, behind: 1 });
      await unseal(database);
      expect(await find()).toEqual({ matches: 2, more: false, behind: 0 });
    });
  },
);

async function save(database: Database, title: string): Promise<void> {
  const createdAt = new Date();
  const bookmark = { title, url: "https://example.com/", description: "", createdAt };
  await writeBookmarks(database, createdAt, (writer) => writer.insertMany([bookmark]));
}

/** Refuses what each step of the index does last, as `commonplace move` seals all tables. */
async function seal(database: Database): Promise<void> {
  await database.write(async (sql) => {
    if (database.engine === "sqlite") {
      await sql`create trigger sealed before delete on search_pending
        begin select raise(abort, 'The database was moved.'); end`;
      return;
    }
    await sql`create function sealed() returns trigger language plpgsql as
      $$ begin raise exception 'The database was moved.' using errcode = '25006'; end $$`;
    await sql`create trigger sealed before delete on search_pending for each statement execute function sealed()`;
  });
}

async function unseal(database: Database): Promise<void> {
  await database.write((sql) =>
    database.engine === "sqlite" ? sql`drop trigger sealed` : sql`drop trigger sealed on search_pending`,
  );
}

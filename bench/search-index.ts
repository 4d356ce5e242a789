import { setTimeout as sleep } from "node:timers/promises";
import { indexedBookmarks } from "../src/bookmarks/search/indexed-bookmarks.ts";
import { openDatabase } from "../src/database/open.ts";
import { Log } from "../src/log.ts";
import { Indexer } from "../src/search/index/indexer.ts";
import { inDatabase, urlOf } from "./raw-database.ts";

/** Indexes all bookmarks of a database, given by path or URL. */
export async function buildIndex(database: string): Promise<void> {
  const opened = await openDatabase(urlOf(database));
  await new Indexer(opened, [indexedBookmarks], new Log({ level: "silent", format: "json" })).finish(
    indexedBookmarks,
  );
  await opened.close();
}

/** Checks over HTTP whether a server has indexed everything. */
export class IndexWatch {
  readonly #database: string;

  constructor(database: string) {
    this.#database = database;
  }

  async finished(): Promise<void> {
    await inDatabase(this.#database, async (rows) => {
      for (;;) {
        const [row] = await rows(`
          select (select count(*) from search_state where name = 'version') as begun,
            (select count(*) from search_state where name = 'rebuild:bookmarks') as rebuilding,
            (select count(*) from (select 1 as one from search_pending limit 1) as marked) as pending`);
        if (Number(row?.begun) === 1 && Number(row?.rebuilding) + Number(row?.pending) === 0) return;
        await sleep(50);
      }
    });
  }
}

/** Turns off indexing of new bookmarks, to measure its cost. */
export async function withoutMarks(database: string): Promise<void> {
  await inDatabase(database, async (rows, isPostgres) => {
    await rows(`drop trigger search_bookmark_inserted ${isPostgres ? "on bookmarks" : ""}`);
  });
}

/** The bytes of the index of bookmarks, and of the bookmarks with their own index. */
export async function indexBytes(database: string): Promise<{ index: number; bookmarks: number }> {
  let bytes = { index: 0, bookmarks: 0 };
  await inDatabase(database, async (rows, isPostgres) => {
    const [row] = await rows(
      isPostgres
        ? `select sum(pg_total_relation_size(oid)) filter (where relname like 'search\\_bookmarks%') as indexed,
            sum(pg_total_relation_size(oid)) filter (where relname = 'bookmarks') as bookmarks
           from pg_class where relkind = 'r'`
        : `select sum(pgsize) filter (where name like '%search_bookmarks%') as indexed,
            sum(pgsize) filter (where name in ('bookmarks', 'bookmarks_by_age')) as bookmarks from dbstat`,
    );
    bytes = { index: Number(row?.indexed), bookmarks: Number(row?.bookmarks) };
  });
  return bytes;
}

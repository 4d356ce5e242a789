import { setTimeout as sleep } from "node:timers/promises";
import { indexedBookmarks } from "../src/bookmarks/search/indexed-bookmarks.ts";
import { openDatabase } from "../src/database/open.ts";
import { indexWaiting } from "../src/search/index/entries.ts";
import { INDEX_VERSION } from "../src/search/index/index-version.ts";
import { inDatabase, isPostgres, urlOf } from "./raw-database.ts";

/** Indexes all bookmarks of a database, given by path or URL. */
export async function buildIndex(database: string): Promise<void> {
  const opened = await openDatabase(urlOf(database));
  await indexWaiting(opened, indexedBookmarks);
  await opened.close();
}

/** Checks in the database whether a server has indexed everything. */
export class IndexWatch {
  readonly #database: string;

  constructor(database: string) {
    this.#database = database;
  }

  /** Resolves when every record can be found. */
  finished(): Promise<void> {
    return this.#until(`not exists (select 1 from search_bookmarks where version < ${INDEX_VERSION})`);
  }

  /**
   * Resolves when nothing is left to do in the background: every record can be found, and PostgreSQL is not removing dead rows.
   */
  async idle(): Promise<void> {
    await this.finished();
    if (isPostgres(this.#database))
      await this.#until(
        "not exists (select 1 from pg_stat_activity where backend_type = 'autovacuum worker')",
      );
  }

  async #until(condition: string): Promise<void> {
    await inDatabase(this.#database, async (rows) => {
      for (;;) {
        const [row] = await rows(`select case when ${condition} then 1 else 0 end as holds`);
        if (Number(row?.holds) === 1) return;
        await sleep(50);
      }
    });
  }
}

/** The sizes in bytes of the bookmarks' search index, and of the bookmarks with their other indexes. */
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

import { SQL } from "bun";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import { openDatabase } from "../../src/database/open.ts";
import { INDEX_TABLES } from "../../src/search/collection.ts";
import { replaceInCatalog } from "../../src/search/index/catalog.ts";
import { INDEX_VERSION } from "../../src/search/index/index-state.ts";
import { TITLE_LENGTH } from "../../src/search/index/index-store.ts";
import { tsvector } from "../../src/search/index/postgres-document.ts";
import { type IndexedRecord, indexedDocument } from "../../src/search/text/document.ts";
import { inBatches } from "./batches.ts";
import { searchableBookmarks } from "./searchable-bookmarks.ts";

/** Rows per statement. */
const ROWS = 2_000;
/** Bookmarks per transaction. */
const BOOKMARKS = 20_000;

/**
 * Fills an empty PostgreSQL database that has our schema with indexed bookmarks to search. The result is the
 * same as through the service, but it is much faster, since the word index is created at the end.
 */
export async function fillPostgres(url: string, count: number): Promise<void> {
  const sql = new SQL({ url, max: 1, connection: { synchronous_commit: "off" } });
  const [index] = await sql`select indexdef from pg_indexes where indexname = 'search_bookmarks_words'`;
  await sql`drop index search_bookmarks_words`;
  await sql`alter table bookmarks disable trigger user`;
  let id = 0;
  for (const batch of inBatches(searchableBookmarks(count), ROWS)) {
    const rows = batch.map(({ title, url, description, createdAt }) => ({
      id: ++id,
      title,
      url,
      description,
      created_at: createdAt,
      updated_at: createdAt,
    }));
    await sql`
      insert into bookmarks (id, title, url, description, created_at, updated_at)
      select id, title, url, description, created_at, updated_at
      from json_populate_recordset(null::bookmarks, ${rows}::json)`;
  }
  await sql`alter table bookmarks enable trigger user`;
  await sql`select setval(pg_get_serial_sequence('bookmarks', 'id'), ${count})`;
  for (const name of ["bookmarks:changes", "bookmarks:total"])
    await sql`
      insert into counters (name, slot, n) values (${name}, 0, ${count})
      on conflict (name, slot) do update set n = excluded.n`;
  await addEntries(url, sql, count);
  await sql`insert into search_state (name, value) values ('version', ${INDEX_VERSION})`;
  await sql`set maintenance_work_mem = '512MB'`;
  await sql.unsafe(String(index.indexdef));
  await sql`vacuum analyze`;
  await sql.close();
}

async function addEntries(url: string, sql: SQL, count: number): Promise<void> {
  const database = await openDatabase(url);
  for (let after = 0; after < count; after += BOOKMARKS) {
    const ids = Array.from({ length: Math.min(BOOKMARKS, count - after) }, (_, index) => after + index + 1);
    await database.derive(async (transaction) => {
      const records: IndexedRecord[] = [];
      for (const some of inBatches(ids, ROWS))
        records.push(...(await indexedBookmarks.records(transaction, some)));
      for (const some of inBatches(records, ROWS)) await addWords(sql, some);
      await replaceInCatalog(transaction, INDEX_TABLES.bookmarks, [], [], records);
    });
  }
  await database.close();
}

async function addWords(sql: SQL, records: readonly IndexedRecord[]): Promise<void> {
  const rows = records.map((record) => {
    const { id, createdAt, title, page, host } = record;
    return {
      id,
      created_at: new Date(createdAt),
      title: Array.from(title).slice(0, TITLE_LENGTH).join(""),
      page,
      host,
      words: tsvector(indexedDocument(record)),
    };
  });
  await sql`
    insert into search_bookmarks (id, created_at, title, page, host, words)
    select id, created_at, title, page, host, words
    from json_populate_recordset(null::search_bookmarks, ${rows}::json)`;
}

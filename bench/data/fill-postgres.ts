import { SQL } from "bun";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import { openDatabase } from "../../src/database/open.ts";
import { writeEntries } from "../../src/search/index/entries.ts";
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
  await sql`select setval(pg_get_serial_sequence('bookmarks', 'id'), ${count})`;
  for (const name of ["bookmarks:changes", "bookmarks:total"])
    await sql`
      insert into counters (name, slot, n) values (${name}, 0, ${count})
      on conflict (name, slot) do update set n = excluded.n`;
  await addEntries(url, count);
  await sql`set maintenance_work_mem = '512MB'`;
  await sql.unsafe(String(index.indexdef));
  await sql`vacuum analyze`;
  await sql.close();
}

async function addEntries(url: string, count: number): Promise<void> {
  const database = await openDatabase(url);
  for (let after = 0; after < count; after += BOOKMARKS) {
    const ids = Array.from({ length: Math.min(BOOKMARKS, count - after) }, (_, index) => after + index + 1);
    await database.write(async (transaction) => {
      for (const some of inBatches(ids, ROWS))
        await writeEntries(transaction, indexedBookmarks, await indexedBookmarks.records(transaction, some), {
          isNew: true,
        });
    });
  }
  await database.close();
}

import type { Sql } from "../../database/database.ts";
import { pageHash } from "../../search/text/page-key.ts";

/**
 * The newest bookmark with exactly this URL, also one that is not indexed yet. URLs are not indexed: the bookmark is
 * found among those of its page and those waiting to be indexed.
 *
 * @param url in its text form
 */
export async function findIdOfUrl(sql: Sql, url: string): Promise<number | undefined> {
  const [row] = await sql<{ id: number }>`
    select id from bookmarks where url = ${url} and id in (
      select id from search_bookmarks where page = ${pageHash(url)}
      union select record_id from search_pending where collection = 'bookmarks')
    order by created_at desc, id desc limit 1`;
  return row && Number(row.id);
}

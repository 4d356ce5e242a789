import type { Sql } from "../../database/database.ts";
import { pageHash } from "../../search/text/urls.ts";

/**
 * The newest bookmark with exactly this URL. URLs are not indexed: the bookmark is found among those of its page and
 * those whose page is not known yet, after an upgrade.
 *
 * @param url in its text form
 */
export async function findIdOfUrl(sql: Sql, url: string): Promise<number | undefined> {
  const [row] = await sql<{ id: number }>`
    select id from bookmarks where url = ${url} and id in (
      select id from search_bookmarks where page = ${pageHash(url)}
      union select id from search_bookmarks where version = 0 and page = '')
    order by created_at desc, id desc limit 1`;
  return row && Number(row.id);
}

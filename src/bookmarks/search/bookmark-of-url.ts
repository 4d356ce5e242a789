import type { Sql } from "../../database/database.ts";
import { INDEX_VERSION } from "../../search/index/index-version.ts";
import { pageHash, pageKey } from "../../search/text/page-key.ts";

/** The maximum number of bookmarks of a page that are found. */
const OF_PAGE_MAX = 100;

/** The bookmarks of a web page. */
interface OfPage {
  /** The newest one with exactly the URL; undefined if there is none. */
  readonly exact: number | undefined;
  /** All of them, the newest first. */
  readonly ids: readonly number[];
}

/**
 * The bookmarks of a URL's page. URLs are not indexed: they are found by the hash of their page, and, of exactly this URL,
 * also among those whose page is not known, or is of an earlier version of the index.
 *
 * @param url in its text form
 */
export async function findOfPage(sql: Sql, url: string): Promise<OfPage> {
  const rows = await sql<{ id: number; url: string }>`
    select id, url, created_at from bookmarks where id in (
      select id from (
        select id from search_bookmarks where page = ${pageHash(url)}
        order by created_at desc, id desc limit ${OF_PAGE_MAX}) as found)
    union
    select id, url, created_at from bookmarks where url = ${url} and id in (
      select id from search_bookmarks where version < ${INDEX_VERSION} and (version <> 0 or page = ''))
    order by created_at desc, id desc`;
  const key = pageKey(url);
  // A hash of an earlier version can be that of another page.
  const found = rows.filter((row) => pageKey(row.url) === key);
  const exact = found.find((row) => row.url === url)?.id;
  return { exact: exact === undefined ? undefined : Number(exact), ids: found.map(({ id }) => Number(id)) };
}

/** The bookmark of a page that a program means which saves the URL: the newest of exactly this URL, or else of its page. */
export async function findIdOfPage(sql: Sql, url: string): Promise<number | undefined> {
  const { exact, ids } = await findOfPage(sql, url);
  return exact ?? ids[0];
}

/** The newest bookmark with exactly this URL. @param url in its text form */
export async function findIdOfUrl(sql: Sql, url: string): Promise<number | undefined> {
  return (await findOfPage(sql, url)).exact;
}

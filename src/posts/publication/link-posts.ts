import type { Sql } from "../../database/database.ts";
import { pageHost } from "../../search/text/urls.ts";
import { linkedPage } from "../linked-pages.ts";
import { LISTED } from "../post-row.ts";

/**
 * The published link posts of a URL's page: first those of exactly this URL, then those of other forms of it, oldest first. Only the
 * targets on the same host are compared, one by one.
 *
 * @param url in its text form
 */
export async function findLinkPosts(sql: Sql, url: string): Promise<number[]> {
  const host = pageHost(url);
  const page = linkedPage(url);
  if (host === undefined || page === undefined) return [];
  // `+id`: SQLite would read all posts, since their ids are in that order, instead of the index of links.
  const rows = await sql<{ id: number; link: string }>`
    select id, link from posts
    where link is not null and link like ${`%${host}%`} and kind = 'link' and ${LISTED} order by +id`;
  const exact = rows.filter(({ link }) => link === url);
  const others = rows.filter(({ link }) => link !== url && linkedPage(link) === page);
  return [...exact, ...others].map(({ id }) => Number(id));
}

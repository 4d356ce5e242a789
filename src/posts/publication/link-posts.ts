import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { pageHosts } from "../../search/text/page-key.ts";
import { linkedPage } from "../linked-pages.ts";
import { LISTED } from "../post-row.ts";

/**
 * The published link posts of a URL's page: first those of exactly this URL, then those of other forms of it, oldest first. Only the
 * targets on the page's hosts are compared, one by one.
 *
 * @param url in its text form
 */
export async function findLinkPosts(sql: Sql, url: string): Promise<number[]> {
  const hosts = pageHosts(url)?.map((host) => fragment`link like ${`%${host}%`}`);
  const page = linkedPage(url);
  const [first, ...others] = hosts ?? [];
  if (first === undefined || page === undefined) return [];
  const onHost = others.reduce((any, host) => fragment`${any} or ${host}`, first);
  // `+id`: SQLite would read all posts, since their ids are in that order, instead of the index of links.
  const rows = await sql<{ id: number; link: string }>`
    select id, link from posts
    where link is not null and (${onHost}) and kind = 'link' and ${LISTED} order by +id`;
  const exact = rows.filter(({ link }) => link === url);
  const sameOnes = rows.filter(({ link }) => link !== url && linkedPage(link) === page);
  return [...exact, ...sameOnes].map(({ id }) => Number(id));
}
